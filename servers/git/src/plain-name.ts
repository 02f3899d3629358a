/** The name of a file for a line of text: one with a newline in it would read as several. */
export function plainName(path: string): string {
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  return /[\u0000-\u001f\u007f]/.test(path) ? JSON.stringify(path) : path
}
