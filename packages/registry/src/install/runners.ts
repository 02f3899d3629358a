/**
 * The programs that may run a package, and which of their arguments an entry may choose. Both are allow lists: a runner is a program
 * that can start anything, so a word that is not on its list is refused, whatever it would do.
 *
 * Words come from `install-plan.ts`, one by one as the program will get them; nothing is split or joined by a shell. Before the user
 * has answered, an answer stands in the words as `answered`: a mount is only allowed where its folder is the user's own answer.
 */

import type { ServerPackage } from '../document/server-document.ts'
import { findVariableProblem } from './environment-names.ts'
import { imageOf } from './package-identity.ts'

/** Stands for an answer of the user, where a document is judged before anything was answered. */
export const answered = '\u{E000}'

/** A program, and how it starts a package. */
export interface Runner {
  /** As `runtimeHint` names it, such as `pnpm dlx`. */
  readonly name: string
  readonly registryType: string
  /** The program, and what stands before the arguments of an entry. */
  readonly command: string
  readonly prefix: readonly string[]
  /** Arguments that are added if the entry has none of its own. */
  readonly usual: readonly string[]
  /** The words between the arguments for the runner and those for the package. */
  readonly packageWords: (serverPackage: ServerPackage) => readonly string[]
  /** Words that may be repeated by the entry, since they are written anyway. */
  readonly implied: ReadonlySet<string>
  /** What an entry may pass on: switches, and flags with a rule for their value. */
  readonly flags: ReadonlyMap<string, 'switch' | ValueRule>
}

/** Why a value is refused; undefined if it is fine. Before the user has answered, `isTemplate` is true. */
type ValueRule = (
  value: string,
  serverPackage: ServerPackage,
  isTemplate: boolean,
) => string | undefined

const matches =
  (pattern: RegExp, expected: string): ValueRule =>
  (value) =>
    value.includes(answered) || pattern.test(value) ? undefined : `must be ${expected}`

const switches = (words: string) => words.split(' ').map((word) => [word, 'switch'] as const)

const atVersion = ({ identifier, version }: ServerPackage) => `${identifier}@${version}`

/** What a path of this machine must not be if it is mounted: all of it, or what controls it. */
const systemFolders =
  /^(?:\/|\/(?:bin|boot|dev|etc|lib|lib64|proc|root|run|sbin|sys|usr|var|private|System|Library)(?:\/.*)?|[a-z]:[\\/]*|[a-z]:[\\/](?:windows|program ?files)[\\/].*|\/(?:home|Users)|.*\.sock|[\\/]{2}.*)$/i

/** Which folder a container gets is for the user to say, and for nobody else. */
function findFolderProblem(folder: string, isTemplate: boolean): string | undefined {
  if (folder === answered) return undefined
  if (isTemplate) {
    return `gives away ${JSON.stringify(folder.replaceAll(answered, '{…}'))}: the folder must be the whole answer of the user, without a default or choices`
  }
  const isAbsolute = /^(?:\/|[a-z]:[\\/])/i.test(folder)
  const plain = folder.replaceAll(/(?<=.)[\\/]+$/g, '')
  if (!isAbsolute || /(?:^|[\\/])\.\.?(?:[\\/]|$)|[\\/]{2}/.test(folder)) {
    return `has the folder ${folder}: it must be absolute, without . and ..`
  }
  if (/[,:]/.test(folder.replace(/^[a-z]:/i, ''))) return 'has a folder with a comma or colon in it'
  return systemFolders.test(plain) ? `gives away ${folder}, which controls this machine` : undefined
}

/** `type=bind,src=…,dst=…`: the folder is the user's answer, and nothing else is said of it. */
const mount: ValueRule = (value, _, isTemplate) => {
  const fields = new Map(
    value.split(',').map((part) => {
      const at = part.indexOf('=')
      return at === -1
        ? ([part, 'true'] as const)
        : ([part.slice(0, at), part.slice(at + 1)] as const)
    }),
  )
  if (fields.size < value.split(',').length || (fields.has('src') && fields.has('source'))) {
    return 'must say each thing once'
  }
  const mountFields = new Set('type src source dst destination target readonly ro'.split(' '))
  const strange = [...fields.keys()].find((name) => !mountFields.has(name))
  if (strange !== undefined) return `must not have ${strange}: use type=bind,src={folder},dst=/path`
  if (fields.get('type') === 'tmpfs') return undefined
  if (fields.get('type') !== 'bind') return 'must be of type bind or tmpfs'
  return findFolderProblem(fields.get('src') ?? fields.get('source') ?? '', isTemplate)
}

/** `{folder}:/path`, and no more than `ro` behind it. */
const volume: ValueRule = (value, _, isTemplate) => {
  const [, folder, , mode = 'rw'] = /^((?:[a-z]:)?[^:]*):([^:]+)(?::([^:]*))?$/i.exec(value) ?? []
  if (folder === undefined) return 'must be {folder}:/path'
  if (!/^(?:ro|rw)$/.test(mode)) return 'must end in :ro or nothing'
  return findFolderProblem(folder, isTemplate)
}

const variable: ValueRule = (value, { environmentVariables = [] }) => {
  const at = value.indexOf('=')
  const name = at === -1 ? value : value.slice(0, at)
  if (at === -1 && !environmentVariables.some((candidate) => candidate.name === name)) {
    return `takes ${name} from the environment of the user: list it in environmentVariables`
  }
  return findVariableProblem(name, true)
}

const path = matches(/^\/[\w./-]*$/, 'a path in the container')
const word = /^[A-Za-z0-9][\w.-]*$/

const container: Runner['flags'] = new Map<string, 'switch' | ValueRule>([
  ...switches('--init --read-only --quiet -q'),
  ...['-e', '--env'].map((flag) => [flag, variable] as const),
  ...['-v', '--volume'].map((flag) => [flag, volume] as const),
  ['--mount', mount],
  ...['-p', '--publish'].map(
    (flag) =>
      [
        flag,
        matches(
          /^(?:127\.0\.0\.1|\[::1\]):\d{1,5}:\d{1,5}(?:\/(?:tcp|udp))?$/,
          '127.0.0.1:PORT:PORT, so that only this machine reaches it',
        ),
      ] as const,
  ),
  ...['-u', '--user'].map((flag) => [flag, matches(/^\d+(?::\d+)?$/, 'a number')] as const),
  ...['-w', '--workdir'].map((flag) => [flag, path] as const),
  ...['-m', '--memory'].map((flag) => [flag, matches(/^\d+[bkmg]?$/i, 'a size')] as const),
  ['--cpus', matches(/^\d+(?:\.\d+)?$/, 'a number')],
  ['--pids-limit', matches(/^\d+$/, 'a number')],
  ['--tmpfs', path],
  [
    '--network',
    matches(
      /^(?:none|bridge)$/,
      'none or bridge: any other takes the network of this machine or of another container',
    ),
  ],
  ['--pull', matches(/^(?:missing|always|never)$/, 'missing, always or never')],
  ['--platform', matches(/^linux\/[a-z0-9/]+$/, 'linux/amd64 or the like')],
  ['--cap-drop', matches(/^[A-Za-z_]+$/, 'ALL, or the name of a capability')],
  ['--security-opt', matches(/^no-new-privileges(?::true)?$/, 'no-new-privileges')],
  ['--name', matches(word, 'a name')],
])

const pythonRelease = matches(/^3(?:\.\d{1,2}){0,2}$/, 'a release of Python, such as 3.12')

function runner(
  registryType: string,
  name: string,
  flags: Runner['flags'],
  packageWords: Runner['packageWords'],
  more: { readonly usual?: string; readonly implied?: string; readonly prefix?: string } = {},
): Runner {
  const [command = name, ...subcommand] = name.split(' ')
  const { usual, implied = '', prefix = '' } = more
  const before = [...subcommand, ...prefix.split(' ').filter(Boolean)]
  return {
    name,
    registryType,
    command,
    prefix: before,
    usual: usual === undefined ? [] : [usual],
    packageWords,
    implied: new Set([...before, ...implied.split(' ').filter(Boolean)]),
    flags,
  }
}

const npmSpec = (serverPackage: ServerPackage) => [atVersion(serverPackage)]

const permissions = 'read write net env sys run ffi'
  .split(' ')
  .flatMap((what): [string, ValueRule][] => [
    [`--allow-${what}`, matches(/^[\w.,:/@*~-]+$/, 'a list')],
  ])

/** Deno takes the value of a permission behind `=` only, and all without one. */
const deno = new Map<string, 'switch' | ValueRule>([
  ...switches('--allow-all -A --no-prompt --quiet -q --no-lock --no-config'),
  ...permissions,
])

const runners: readonly Runner[] = [
  runner(
    'npm',
    'npx',
    new Map(switches('-q --quiet --prefer-offline --offline --ignore-scripts')),
    npmSpec,
    {
      prefix: '-y',
      implied: '--yes',
    },
  ),
  runner('npm', 'bunx', new Map(switches('--bun --silent')), npmSpec, { implied: '-y --yes' }),
  runner('npm', 'pnpm dlx', new Map(switches('--silent -s')), npmSpec),
  runner('npm', 'deno run', deno, (serverPackage) => [`npm:${atVersion(serverPackage)}`], {
    usual: '--allow-all',
  }),
  runner(
    'pypi',
    'uvx',
    new Map<string, 'switch' | ValueRule>([
      ...switches('-q --quiet --offline --isolated --no-cache --no-config --no-env-file --refresh'),
      ['-p', pythonRelease],
      ['--python', pythonRelease],
    ]),
    npmSpec,
    { implied: 'tool run' },
  ),
  runner('pypi', 'pipx run', new Map(switches('-q --quiet --no-cache')), (serverPackage) => [
    '--spec',
    `${serverPackage.identifier}==${serverPackage.version}`,
    serverPackage.identifier,
  ]),
  runner(
    'nuget',
    'dnx',
    new Map(switches('--allow-roll-forward')),
    (serverPackage) => [atVersion(serverPackage), '--yes'],
    {
      implied: '--yes -y',
    },
  ),
  ...['docker', 'podman'].map((name) =>
    runner('oci', `${name} run`, container, (serverPackage) => [imageOf(serverPackage)], {
      prefix: '-i --rm',
      implied: '--interactive',
    }),
  ),
  // What is built from source is started by its own path: see `install-plan.ts`.
  runner(
    'cargo',
    'cargo',
    new Map(),
    (serverPackage) => ['install', '--locked', atVersion(serverPackage)],
    {
      implied: 'install --locked',
    },
  ),
]

/** The runner that an entry names, or the usual one of its kind; undefined if what it names is none. */
export function findRunner({ registryType, runtimeHint }: ServerPackage): Runner | undefined {
  const candidates = runners.filter((candidate) => candidate.registryType === registryType)
  if (runtimeHint === undefined || runtimeHint === '') return candidates[0]
  return candidates.find(({ name, command }) => name === runtimeHint || command === runtimeHint)
}

/** Names of the runners of a kind of package, for people. */
export function runnersOf(registryType: string): readonly string[] {
  return runners
    .filter((candidate) => candidate.registryType === registryType)
    .map(({ name }) => name)
}

/** Arguments of an entry for its runner: those that are passed on, and why others are not. */
export interface CheckedWords {
  readonly words: readonly string[]
  readonly problems: readonly string[]
}

/** Reads the words as the runner will: a flag, its value behind `=` or as the next word. */
export function checkRunnerWords(
  words: readonly string[],
  { name, flags, implied }: Runner,
  serverPackage: ServerPackage,
  isTemplate = false,
): CheckedWords {
  const own = new Set([
    serverPackage.identifier,
    `${serverPackage.identifier}@${serverPackage.version}`,
    ...implied,
  ])
  const remaining: string[] = []
  const problems: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const text = words[at] ?? ''
    if (own.has(text)) continue
    const [, flag = text, attached] = /^(--[^=]*)=(.*)$/s.exec(text) ?? []
    const rule = flags.get(flag)
    const isPermission = flags === deno && flag.startsWith('--allow-')
    if (rule === undefined) {
      problems.push(`passes ${shown(flag)} to ${name}, which an entry may not choose${hint(flags)}`)
    } else if (rule === 'switch' || (isPermission && attached === undefined)) {
      if (attached === undefined) remaining.push(text)
      else
        problems.push(`passes a value to ${flag} of ${name}, which has none: write ${flag} alone`)
    } else {
      const value = attached ?? words[(at += 1)]
      const classified = value?.replaceAll(/\$\{input:[\w-]+\}/g, answered)
      const problem =
        classified === undefined ? 'must have a value' : rule(classified, serverPackage, isTemplate)
      if (problem === undefined)
        remaining.push(...words.slice(attached === undefined ? at - 1 : at, at + 1))
      else problems.push(`passes ${flag} to ${name}, which ${problem}`)
    }
  }
  return { words: remaining, problems: problems }
}

function hint(flags: Runner['flags']): string {
  if (flags.size === 0) return ': leave it out'
  return `: leave it out, or use ${[...flags.keys()].filter((flag) => flag.startsWith('--')).join(' ')}`
}

function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text).replaceAll(
    answered,
    '{…}',
  )
}
