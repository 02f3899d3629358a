/**
 * The ways to run or reach a server of a registry: for each its questions, and the entry for a configuration file. The document is text
 * of a stranger. `classify-entry.ts` decides which parts of it are accepted at all, and `fill` checks what the answers make of them:
 * nothing else turns a document into a command, so `parley add`, *Browse*, `/x/config`, `/validate` and publishing judge alike.
 */

import type { ServerDocument, ServerPackage, ServerTransport } from '../document/server-document.ts'
import { findReplyProblem } from './entry-text.ts'
import { fillUrl } from './entry-url.ts'
import {
  argumentQuestions,
  argumentWords,
  packageAnswers,
  questionsOf,
  urlAnswer,
  valuesOf,
  type Answer,
  type InstallQuestion,
} from './entry-values.ts'
import { problemsOf, offersOf, packageTitle, titleOf } from './judge-entry.ts'
import { imageOf } from './package-identity.ts'
import { checkRunnerWords, findRunner, type Runner } from './runners.ts'

/** One way to run or reach a server, with its questions still open. */
export interface InstallPlan {
  /** Such as `npm @scope/server@1.0.0`, or the URL of a remote. */
  readonly title: string
  /** Where the server comes from, and what starts it, for people. */
  readonly origin: string
  /** A program that is started, or an address. */
  readonly kind: InstallEntry['kind']
  /** It has to be built first, in a folder for programs. */
  readonly isBuilt: boolean
  /** What the user has to say. */
  readonly questions: readonly InstallQuestion[]
  /** The entry for these answers; `undefined` leaves an optional one out. Throws `InstallRejection` if an answer does not fit. */
  readonly fill: (
    answer: (question: InstallQuestion) => string | undefined,
    machine?: InstallMachine,
  ) => InstallEntry
}

/** What an entry has to know of the machine that it is for. */
export interface InstallMachine {
  /** The folder below which programs are built from source. Without it such packages are refused. */
  readonly programs?: string | undefined
}

/** A program, its arguments, and what is added to its environment. */
export interface InstallCommand {
  /** The program. */
  readonly command: string
  /** Its arguments. */
  readonly args: readonly string[]
  /** Variables that are added to its environment. */
  readonly env: { readonly [name: string]: string }
}

/** An entry of a configuration file. */
export type InstallEntry =
  | ({
      /** A program that is started. */
      readonly kind: 'command'
      /** What the user has to run once before, word by word. */
      readonly first?: readonly string[] | undefined
    } & InstallCommand)
  | {
      /** A server at an address. */
      readonly kind: 'url'
      /** The transport. */
      readonly type: 'http' | 'sse'
      /** The address. */
      readonly url: string
      /** Headers that are sent with every request. */
      readonly headers: { readonly [name: string]: string }
      /** What the user has to start before, and to leave running, where the server is a package. */
      readonly start?: InstallCommand | undefined
    }

/** A package or remote that cannot be used, and why. */
export interface RejectedOffer {
  /** As `InstallPlan.title`. */
  readonly title: string
  /** Everything that is wrong with it, one sentence each. */
  readonly reasons: readonly string[]
}

/** What a document offers, sorted by whether it is accepted. */
export interface InstallOffers {
  /** Every way that a program can start or reach by itself, packages first. */
  readonly plans: readonly InstallPlan[]
  /** What is not accepted. */
  readonly refused: readonly RejectedOffer[]
}

/** An entry of a registry, or an answer to one of its questions, that is not accepted. */
export class InstallRejection extends Error {
  /** Always `InstallRejection`. */
  override readonly name = 'InstallRejection'
}

/** Every way the document offers, and why some of them are refused. Total: a document of any shape is read. */
export function installOffers(document: ServerDocument): InstallOffers {
  const classified = offersOf(document).map((offer) => ({ offer, faults: problemsOf(offer) }))
  return {
    plans: classified.flatMap(({ offer, faults }) =>
      faults.length === 0
        ? [offer.kind === 'package' ? planPackage(offer.one) : planRemote(offer.one)]
        : [],
    ),
    refused: classified.flatMap(({ offer, faults }) =>
      faults.length === 0
        ? []
        : [
            {
              title: titleOf(offer),
              reasons: [...new Set(faults.map(({ path, reason }) => sentence(path, reason)))],
            },
          ],
    ),
  }
}

function planPackage(serverPackage: ServerPackage): InstallPlan {
  const {
    runtimeArguments = [],
    packageArguments = [],
    environmentVariables = [],
    transport,
  } = serverPackage
  const runner = requireRunner(serverPackage)
  const questions = merged([
    ...runtimeArguments.flatMap(argumentQuestions),
    ...packageArguments.flatMap(argumentQuestions),
    ...environmentVariables.flatMap((input) => questionsOf(input, input.name)),
    ...(transport.headers ?? []).flatMap((input) => questionsOf(input, input.name)),
  ])
  return {
    title: packageTitle(serverPackage),
    origin: originOf(serverPackage, runner),
    kind: transport.type === 'stdio' ? 'command' : 'url',
    isBuilt: runner.registryType === 'cargo',
    questions,
    fill(give, { programs } = {}) {
      const answer = checkedAnswers(questions, give)
      const env = valuesOf(environmentVariables, answer)
      const { words, problems } = checkRunnerWords(
        runtimeArguments.flatMap((each) => argumentWords(each, answer)),
        runner,
        serverPackage,
      )
      const [problem] = problems
      if (problem !== undefined)
        throw new InstallRejection(`${packageTitle(serverPackage)} ${problem}`)
      const own = packageArguments.flatMap((each) => argumentWords(each, answer))
      const { first, ...program } = commandOf(serverPackage, runner, { words, own, env, programs })
      if (transport.type === 'stdio') {
        return { kind: 'command', ...program, env, ...(first !== undefined && { first }) }
      }
      const url = fillUrl(transport.url ?? '', packageAnswers(serverPackage, answer), 'package')
      if (!url.ok) throw new InstallRejection(`transport.url ${url.reason}`)
      if (first !== undefined)
        throw new InstallRejection(
          `${packageTitle(serverPackage)} has to be built, and serves HTTP: start it by hand`,
        )
      return {
        kind: 'url',
        type: transport.type === 'sse' ? 'sse' : 'http',
        url: url.url,
        headers: valuesOf(transport.headers ?? [], answer),
        start: { ...program, env },
      }
    },
  }
}

function sentence(path: string, reason: string): string {
  return path === '' ? `it ${reason}` : `${path} ${reason}`
}

function requireRunner(serverPackage: ServerPackage): Runner {
  const runner = findRunner(serverPackage)
  if (runner === undefined)
    throw new InstallRejection(`${packageTitle(serverPackage)} has no known runner`)
  return runner
}

function originOf(serverPackage: ServerPackage, { name, registryType }: Runner): string {
  const { identifier, version, registryBaseUrl } = serverPackage
  switch (registryType) {
    case 'oci':
      return `the image ${imageOf(serverPackage)}, started by ${name}`
    case 'cargo':
      return `the crate ${identifier} ${version}, built on this machine by cargo`
    default: {
      const origin = registryBaseUrl === undefined ? '' : ` (the entry says ${registryBaseUrl})`
      return `the package ${identifier} ${version}, which ${name} gets from the ${registryType} registry that it is set to${origin}`
    }
  }
}

interface CommandParts {
  readonly words: readonly string[]
  readonly own: readonly string[]
  readonly env: { readonly [name: string]: string }
  readonly programs: string | undefined
}

function commandOf(
  serverPackage: ServerPackage,
  runner: Runner,
  { words, own, env, programs }: CommandParts,
): {
  readonly command: string
  readonly args: readonly string[]
  readonly first?: readonly string[]
} {
  const { command, prefix, usual, packageWords, registryType } = runner
  if (registryType === 'cargo') {
    if (programs === undefined) {
      throw new InstallRejection(
        `${packageTitle(serverPackage)} has to be built first: use \`parley add\`, which knows a folder for it`,
      )
    }
    // By its own path: a crate may be called like any program of the machine.
    const root = `${programs}/${serverPackage.identifier}-${serverPackage.version}`
    const first = [
      command,
      'install',
      '--locked',
      '--root',
      root,
      `${serverPackage.identifier}@${serverPackage.version}`,
    ]
    return { command: `${root}/bin/${serverPackage.identifier}`, args: own, first }
  }
  const variables = registryType === 'oci' ? Object.keys(env).flatMap((name) => ['-e', name]) : []
  const chosen = words.length > 0 ? words : usual
  const separator = registryType === 'nuget' && own.length > 0 ? ['--'] : []
  return {
    command,
    args: [
      ...prefix,
      ...variables,
      ...chosen,
      ...packageWords(serverPackage),
      ...separator,
      ...own,
    ],
  }
}

function planRemote(remote: ServerTransport): InstallPlan {
  const { url = '', type, headers = [], variables = {} } = remote
  const questions = merged([
    ...Object.entries(variables).flatMap(([name, input]) => questionsOf(input, name)),
    ...headers.flatMap((input) => questionsOf(input, input.name)),
  ])
  return {
    title: url,
    origin: `the address ${url}`,
    kind: 'url',
    isBuilt: false,
    questions,
    fill(give) {
      const answer = checkedAnswers(questions, give)
      const filled = fillUrl(url, (name) => urlAnswer(name, variables, answer), 'remote')
      if (!filled.ok) throw new InstallRejection(`${url} ${filled.reason}`)
      return {
        kind: 'url',
        type: type === 'sse' ? 'sse' : 'http',
        url: filled.url,
        headers: valuesOf(headers, answer),
      }
    },
  }
}

/** Answers that fit their questions: nothing else gets into an entry, whoever asked. */
function checkedAnswers(questions: readonly InstallQuestion[], give: Answer): Answer {
  const byId = new Map(questions.map((question) => [question.id, question]))
  return (requested) => {
    const question = byId.get(requested.id) ?? requested
    const answer = give(question)
    const problem = answer === undefined ? undefined : findReplyProblem(answer, question)
    if (problem !== undefined) throw new InstallRejection(`${question.id} ${problem}`)
    return answer
  }
}

/** One question for each name. What is a secret in one place is not written down by another. */
function merged(questions: readonly InstallQuestion[]): readonly InstallQuestion[] {
  const byId = new Map<string, InstallQuestion>()
  for (const question of questions) {
    const { isSecret = false, isRequired = false } = byId.get(question.id) ?? {}
    byId.set(question.id, {
      ...question,
      isSecret: isSecret || question.isSecret,
      isRequired: isRequired || question.isRequired,
    })
  }
  return [...byId.values()]
}
