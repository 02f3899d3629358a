// What every contestant serves, so that only the code around it differs.

/** The text that `large` returns: 1 MiB of lines, so that escaping is part of the work. */
export const largeText = Buffer.alloc(
  2 ** 20,
  'It was a dark and "stormy" night; the rain fell in torrents.\n',
).toString()

/** How many copies of the echo tool to offer, from `--tools N`. */
export function extraTools(argv = process.argv) {
  const at = argv.indexOf('--tools')
  const count = at === -1 ? 0 : Number(argv[at + 1])
  return Array.from({ length: count }, (_, index) => `echo-${index + 1}`)
}

/** The description of the echo tool. */
export const echoDescription = 'Returns the text it was given'
