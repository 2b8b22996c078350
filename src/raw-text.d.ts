/** A file beside the code as its text: styles, scripts and templates. */
declare module '*?raw' {
  const text: string;
  export default text;
}
