declare module 'virtual:places' {
  /** URL of the packed places; places-binary.ts decodes them. */
  const url: string;
  export default url;
}

declare module 'virtual:place-names' {
  /** URL of their names, one line per place in the same order: two letters for the country, then the name. */
  const url: string;
  export default url;
}
