declare module 'virtual:places' {
  /** Address of the packed places; places-binary.ts reads them. */
  const url: string;
  export default url;
}

declare module 'virtual:place-names' {
  /** Address of their names, a line each in the same order: two letters for the country, then the name. */
  const url: string;
  export default url;
}
