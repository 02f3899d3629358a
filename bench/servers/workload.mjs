// What every contestant serves, so that only the code around it differs.

/** The number behind a flag of this process: `--tools 99`. */
export function numberFlag(flag, otherwise, argv = process.argv) {
  const at = argv.indexOf(flag)
  return at === -1 ? otherwise : Number(argv[at + 1])
}

/** The text behind a flag of this process; undefined without it. */
export function textFlag(flag, argv = process.argv) {
  const at = argv.indexOf(flag)
  return at === -1 ? undefined : argv[at + 1]
}

/** The text that `large` returns: 1 MiB, or `--bytes N`, of lines, so that escaping is part of the work. */
export const largeText = Buffer.alloc(
  numberFlag('--bytes', 2 ** 20),
  'It was a dark and "stormy" night; the rain fell in torrents.\n',
).toString()

/** The description of the echo tool. */
export const echoDescription = 'Returns the text it was given'

/** How many reports of progress `report` sends before its result: 100, or `--reports N`. */
export const reports = numberFlag('--reports', 100)

/** The token that guarded servers accept, and what is known of who sends it. */
export const bearerToken = 'a-token-that-was-verified-before'
export const guardedResource = 'https://bench.example/mcp'
export const tokenLifeMs = 3_600_000
