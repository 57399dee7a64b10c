declare module 'virtual:places' {
  /** Address of the packed places; places-binary.ts reads them. */
  const url: string;
  export default url;
}
