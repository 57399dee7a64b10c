declare module 'virtual:city-tiles' {
  /** URL of the packed `tileset.json`; the other files lie beside it. */
  const url: string;
  export default url;
}
