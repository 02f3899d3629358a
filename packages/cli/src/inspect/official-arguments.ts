import { CliError } from '../exit.ts'

/** A command line of the official Inspector's CLI. */
export interface OfficialArguments {
  /** What is spawned, or one URL. */
  readonly target: readonly string[]
  readonly values: { readonly [flag: string]: string }
  readonly lists: { readonly [flag: string]: readonly string[] }
  readonly switches: ReadonlySet<string>
}

const single = new Set(
  '--method --tool-name --tool-args-json --uri --prompt-name --log-level --transport --server-url --config --catalog --server --cwd --format --era --timeout --trace'.split(
    ' ',
  ),
)
const repeated = new Set(
  '-e --header --tool-arg --prompt-args --metadata --tool-metadata'.split(' '),
)
/** One flag may have several pairs behind it. */
const greedy = new Set('--tool-arg --prompt-args --metadata --tool-metadata'.split(' '))
const switches = new Set(['--cli', '--app-info', '--json', '--quiet'])
const unsupported = new Set(
  '--client-config --client-id --client-secret --client-metadata-url --callback-url'.split(' '),
)

/**
 * Everything that is none of its flags is the command to start. What follows `--` is for that command alone, unless
 * nothing came before: then the whole line stands behind it.
 */
export function readOfficialArguments(argv: readonly string[]): OfficialArguments {
  const at = argv.indexOf('--')
  const before = at === -1 ? argv : argv.slice(0, at)
  const after = at === -1 ? [] : argv.slice(at + 1)
  const read = readFlags(before)
  if (after.length === 0) return read
  if (read.target.length > 0 || read.values['--server-url'] !== undefined) {
    return { ...read, target: [...read.target, ...after] }
  }
  return readFlags([...before, ...after])
}

function readFlags(argv: readonly string[]): OfficialArguments {
  const target: string[] = []
  const values: { [flag: string]: string } = {}
  const lists: { [flag: string]: string[] } = {}
  const seen = new Set<string>()
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? ''
    const next = () => {
      at += 1
      const value = argv[at]
      if (value === undefined) throw new CliError('error', `${word} needs a value`)
      return value
    }
    if (unsupported.has(word)) {
      throw new CliError('error', `${word} is not supported here`, {
        hint: 'Sign in first: parley auth login URL',
      })
    }
    if (switches.has(word)) seen.add(word)
    else if (single.has(word)) values[word] = next()
    else if (repeated.has(word)) {
      const list = (lists[word] ??= [])
      list.push(next())
      while (greedy.has(word) && /^[^-=\s][^=\s]*=/.test(argv[at + 1] ?? '')) list.push(next())
    } else target.push(word)
  }
  return { target, values, lists, switches: seen }
}
