import type { CatalogueQuestion } from '@parley/foundation/catalogue'

import type {
  NamedInput,
  ServerArgument,
  ServerDocument,
  ServerInput,
  ServerPackage,
  ServerTransport,
} from '../document/server-document.ts'

/** Something the user has to say before a server can be started. */
export type InstallQuestion = CatalogueQuestion

/** One way to run or reach a server, with its questions still open. */
export interface InstallPlan {
  /** Such as `npm @scope/server@1.0.0`, or the URL of a remote. */
  readonly title: string
  /** What the user has to say. */
  readonly questions: readonly InstallQuestion[]
  /** The entry for these answers; `undefined` leaves an optional one out. */
  readonly fill: (answer: (question: InstallQuestion) => string | undefined) => InstallEntry
}

/** An entry of a configuration file. */
export type InstallEntry =
  | {
      /** A program that is started. */
      readonly kind: 'command'
      /** The program. */
      readonly command: string
      /** Its arguments. */
      readonly args: readonly string[]
      /** Variables that are added to its environment. */
      readonly env: { readonly [name: string]: string }
    }
  | {
      /** A server at an address. */
      readonly kind: 'url'
      /** The transport. */
      readonly type: 'http' | 'sse'
      /** The address. */
      readonly url: string
      /** Headers that are sent with every request. */
      readonly headers: { readonly [name: string]: string }
    }

/** Every way the document offers that a program can start by itself, packages first. */
export function installPlans({
  packages = [],
  remotes = [],
}: ServerDocument): readonly InstallPlan[] {
  return [...packages.flatMap(planPackage), ...remotes.flatMap(planRemote)]
}

type Answer = Parameters<InstallPlan['fill']>[0]

function planPackage(one: ServerPackage): readonly InstallPlan[] {
  const runner = runners.get(one.registryType)
  // A package that serves a URL has to be started by somebody else.
  if (runner === undefined || one.transport.type !== 'stdio') return []
  const { runtimeArguments = [], packageArguments = [], environmentVariables = [] } = one
  const pinned = one.version === undefined ? one.identifier : `${one.identifier}@${one.version}`
  return [
    {
      title: `${one.registryType} ${pinned}`,
      questions: unique([
        ...runtimeArguments.flatMap(argumentQuestions),
        ...packageArguments.flatMap(argumentQuestions),
        ...environmentVariables.flatMap((input) => questionsOf(input, input.name)),
      ]),
      fill(answer) {
        const env = Object.fromEntries(
          environmentVariables.flatMap((input) => {
            const value = valueOf(input, input.name, answer)
            return value === undefined ? [] : [[input.name, value] as const]
          }),
        )
        return {
          kind: 'command',
          ...runner({
            one,
            runtime: runtimeArguments.flatMap((each) => argumentWords(each, answer)),
            own: packageArguments.flatMap((each) => argumentWords(each, answer)),
            variables: Object.keys(env),
          }),
          env,
        }
      },
    },
  ]
}

interface RunnerParts {
  readonly one: ServerPackage
  /** Words for the program that runs the package, and for the package. */
  readonly runtime: readonly string[]
  readonly own: readonly string[]
  readonly variables: readonly string[]
}

type Runner = (parts: RunnerParts) => { readonly command: string; readonly args: readonly string[] }

/** Always the version of the document: what is started tomorrow is what was looked at today. */
const runners: ReadonlyMap<string, Runner> = new Map<string, Runner>([
  [
    'npm',
    ({ one, runtime, own }) => ({
      command: one.runtimeHint ?? 'npx',
      args: [
        ...(runtime.length > 0 ? runtime : ['-y']),
        `${one.identifier}@${one.version}`,
        ...own,
      ],
    }),
  ],
  [
    'pypi',
    ({ one, runtime, own }) => ({
      command: one.runtimeHint ?? 'uvx',
      args: [...runtime, `${one.identifier}@${one.version}`, ...own],
    }),
  ],
  [
    'nuget',
    ({ one, runtime, own }) => ({
      command: one.runtimeHint ?? 'dnx',
      args: [
        ...runtime,
        `${one.identifier}@${one.version}`,
        '--yes',
        ...(own.length > 0 ? ['--', ...own] : []),
      ],
    }),
  ],
  [
    'oci',
    ({ one, runtime, own, variables }) => ({
      command: one.runtimeHint ?? 'docker',
      args: [
        'run',
        '-i',
        '--rm',
        ...variables.flatMap((name) => ['-e', name]),
        ...runtime,
        one.identifier,
        ...own,
      ],
    }),
  ],
])

function planRemote(remote: ServerTransport): readonly InstallPlan[] {
  const { url, type, headers = [], variables = {} } = remote
  if (url === undefined) return []
  return [
    {
      title: url,
      questions: unique([
        ...Object.entries(variables).flatMap(([name, input]) => questionsOf(input, name)),
        ...headers.flatMap((input) => questionsOf(input, input.name)),
      ]),
      fill: (answer) => ({
        kind: 'url',
        type: type === 'sse' ? 'sse' : 'http',
        url: fillTemplate(url, variables, answer),
        headers: Object.fromEntries(
          headers.flatMap((input) => {
            const value = valueOf(input, input.name, answer)
            return value === undefined ? [] : [[input.name, value] as const]
          }),
        ),
      }),
    },
  ]
}

function argumentQuestions(one: ServerArgument): readonly InstallQuestion[] {
  return questionsOf(one, argumentId(one))
}

function argumentId({ name, valueHint, value }: ServerArgument): string {
  return (name ?? valueHint ?? value ?? 'argument').replace(/^-+/, '')
}

/** A named argument is its name and its value as two words; one without a value is a switch. */
function argumentWords(one: ServerArgument, answer: Answer): readonly string[] {
  const value = valueOf(one, argumentId(one), answer)
  if (one.type === 'positional') return value === undefined ? [] : [value]
  const name = one.name ?? ''
  if (one.format === 'boolean') return value === 'true' ? [name] : []
  if (value !== undefined) return [name, value]
  return isSwitch(one) ? [name] : []
}

function isSwitch(one: ServerArgument): boolean {
  const { value, default: preset, choices, placeholder, format, isRequired } = one
  return [value, preset, choices, placeholder, format, isRequired].every(
    (each) => each === undefined,
  )
}

function questionsOf(input: ServerInput | NamedInput, id: string): readonly InstallQuestion[] {
  const { value, variables = {} } = input
  if (value !== undefined) {
    return Object.entries(variables)
      .filter(([name]) => value.includes(`{${name}}`))
      .flatMap(([name, each]) => questionsOf(each, name))
  }
  if ('type' in input && input.type === 'named' && isSwitch(input as ServerArgument)) return [] // a named argument
  return [
    {
      id,
      description: input.description,
      isRequired: input.isRequired ?? false,
      isSecret: input.isSecret ?? false,
      format: input.format ?? 'string',
      default: input.default,
      placeholder: input.placeholder,
      choices: input.choices,
    },
  ]
}

function valueOf(input: ServerInput, id: string, answer: Answer): string | undefined {
  if (input.value !== undefined) return fillTemplate(input.value, input.variables ?? {}, answer)
  const [question] = questionsOf(input, id)
  return question === undefined ? undefined : answer(question)
}

/** Names that nobody defines stay as they are. */
function fillTemplate(
  template: string,
  variables: { readonly [name: string]: ServerInput },
  answer: Answer,
): string {
  return template.replaceAll(/\{([a-zA-Z_][\w-]*)\}/g, (whole, name: string) => {
    const input = Object.hasOwn(variables, name) ? variables[name] : undefined
    return (input && valueOf(input, name, answer)) ?? whole
  })
}

function unique(questions: readonly InstallQuestion[]): readonly InstallQuestion[] {
  return [...new Map(questions.map((question) => [question.id, question])).values()]
}
