/**
 * Judges a package or remote of a registry as it is written, before anything is asked. Allow lists decide: what is not known to be
 * harmless is refused, with its place, the reason, and what to write instead.
 *
 * Names and versions are judged in `package-identity.ts`, runners and their arguments in `runners.ts`, variables in
 * `environment-names.ts`, addresses in `entry-url.ts`, texts in `entry-text.ts`. `install-plan.ts` judges once more what the answers
 * of the user make of it, since a default or a choice is text of the stranger too.
 */

import type {
  NamedInput,
  ServerDocument,
  ServerInput,
  ServerPackage,
  ServerTransport,
} from '../document/server-document.ts'
import { findShapeProblems } from '../validation/server-schema.ts'
import { findReplyProblem, findTextProblem } from './entry-text.ts'
import { fillUrl, findHeaderProblem } from './entry-url.ts'
import {
  argumentWords,
  askedLater,
  asTemplate,
  packageAnswers,
  sample,
  urlAnswer,
  valueOf,
} from './entry-values.ts'
import { findVariableProblem } from './environment-names.ts'
import { findIdentityProblems, imageOf } from './package-identity.ts'
import { checkRunnerWords, findRunner, runnersOf } from './runners.ts'

/** Something in an entry that is not accepted. */
export interface InstallProblem {
  /** Such as `packages[0].runtimeArguments`. */
  readonly path: string
  /** What is wrong with it, and what to write instead. Follows the path, as in a sentence. */
  readonly reason: string
}

/** Every reason to refuse a package or remote of the document, with its place. */
export function findInstallProblems(document: ServerDocument): readonly InstallProblem[] {
  return offersOf(document).flatMap((offer) =>
    problemsOf(offer).map(({ path, reason }) => ({
      path: path === '' ? offer.path : `${offer.path}.${path}`,
      reason,
    })),
  )
}

/** A package or remote of a document, as it is written. */
export type Offer = { readonly path: string; readonly shape: readonly InstallProblem[] } & (
  | { readonly kind: 'package'; readonly one: ServerPackage }
  | { readonly kind: 'remote'; readonly one: ServerTransport }
)

/** More than any server has. */
const maxOffers = 50

/** Packages and remotes, whatever shape they have. */
export function offersOf({ packages, remotes }: ServerDocument): readonly Offer[] {
  // Each by itself: of a whole document with many faults, the schema finds the first ones only.
  const shapeOf = (field: 'packages' | 'remotes', value: unknown): readonly InstallProblem[] =>
    findShapeProblems({ [field]: [value] })
      .filter(({ path }) => path[0] === field && path[1] === 0)
      .map(({ path, message }) => ({ path: path.slice(2).map(String).join('.'), reason: message }))
  return [
    ...(Array.isArray(packages) ? packages : []).slice(0, maxOffers).map((entry, index): Offer => {
      return {
        kind: 'package',
        one: entry,
        path: `packages[${index}]`,
        shape: shapeOf('packages', entry),
      }
    }),
    ...(Array.isArray(remotes) ? remotes : []).slice(0, maxOffers).map((remote, index): Offer => {
      return {
        kind: 'remote',
        one: remote,
        path: `remotes[${index}]`,
        shape: shapeOf('remotes', remote),
      }
    }),
  ]
}

/** What a package or remote is called. */
export function titleOf(offer: Offer): string {
  if (offer.shape.length > 0) return offer.path
  return offer.kind === 'package' ? packageTitle(offer.one) : (offer.one.url ?? offer.path)
}

/** The kind, name and version of a package. */
export function packageTitle(serverPackage: ServerPackage): string {
  const { registryType, identifier, version } = serverPackage
  if (registryType === 'oci') return `oci ${imageOf(serverPackage)}`
  return `${registryType} ${version === undefined ? identifier : `${identifier}@${version}`}`
}

/** Everything that keeps a package or remote from being used. */
export function problemsOf(offer: Offer): readonly InstallProblem[] {
  if (offer.shape.length > 0) return offer.shape
  return offer.kind === 'package' ? packageProblems(offer.one) : remoteProblems(offer.one)
}

/** Arguments and variables of one package: more is no command line any more. */
const maxInputs = 200

function packageProblems(serverPackage: ServerPackage): readonly InstallProblem[] {
  const problems: InstallProblem[] = []
  const say = (path: string, reason: string) => problems.push({ path, reason })
  for (const { field, reason } of findIdentityProblems(serverPackage)) say(field, reason)
  const runner = findRunner(serverPackage)
  const {
    registryType,
    runtimeHint = '',
    runtimeArguments = [],
    packageArguments = [],
  } = serverPackage
  const { environmentVariables = [], transport } = serverPackage
  if (runner === undefined && runnersOf(registryType).length > 0) {
    const runnerNames = runnersOf(registryType).join(', ')
    say(
      'runtimeHint',
      `is ${JSON.stringify(runtimeHint.slice(0, 80))}: a package of ${registryType} is started by ${runnerNames} only`,
    )
  }
  const inputs = [...runtimeArguments, ...packageArguments, ...environmentVariables]
  if (inputs.length > maxInputs) {
    say('', `has more than ${maxInputs} arguments and variables`)
    return problems
  }
  for (const [field, list] of Object.entries({
    runtimeArguments,
    packageArguments,
    environmentVariables,
  })) {
    for (const [index, input] of list.entries()) {
      for (const { path, reason } of inputProblems(input)) say(`${field}[${index}]${path}`, reason)
    }
  }
  for (const [index, { name, value, default: preset, choices }] of environmentVariables.entries()) {
    const hasOwnValue = (value ?? preset ?? choices) !== undefined
    const problem = findVariableProblem(name, hasOwnValue)
    if (problem !== undefined) say(`environmentVariables[${index}]`, problem)
  }
  if (runner !== undefined) {
    const words = runtimeArguments.flatMap((each) => argumentWords(each, asTemplate))
    for (const problem of checkRunnerWords(words, runner, serverPackage, true).problems)
      say('runtimeArguments', problem)
  }
  for (const header of transport.headers ?? []) headerProblems(header, 'transport.', say)
  if (transport.type !== 'stdio' && problems.length === 0) {
    const url = fillUrl(transport.url ?? '', packageAnswers(serverPackage, askedLater), 'package')
    if (!url.ok) say('transport.url', url.reason)
  }
  return problems
}

function remoteProblems({
  url = '',
  headers = [],
  variables = {},
}: ServerTransport): readonly InstallProblem[] {
  const problems: InstallProblem[] = []
  const say = (path: string, reason: string) => problems.push({ path, reason })
  if (headers.length + Object.keys(variables).length > maxInputs) {
    say('', `has more than ${maxInputs} headers and variables`)
    return problems
  }
  for (const header of headers) headerProblems(header, '', say)
  for (const [name, input] of Object.entries(variables)) {
    for (const { path, reason } of inputProblems(input)) say(`variables.${name}${path}`, reason)
  }
  const filled = fillUrl(url, (name) => urlAnswer(name, variables, askedLater), 'remote')
  if (!filled.ok) say('url', filled.reason)
  return problems
}

function headerProblems(
  header: NamedInput,
  prefix: string,
  say: (path: string, reason: string) => void,
): void {
  const path = `${prefix}headers.${header.name.slice(0, 80)}`
  const problem = findHeaderProblem(header.name)
  if (problem !== undefined) say(path, problem)
  for (const inner of inputProblems(header)) say(`${path}${inner.path}`, inner.reason)
}

/** Variables inside of variables, and so on. */
const maxDepth = 4

/** What the entry itself says in an argument, variable or header; answers of the user are judged when they are there. */
function inputProblems(input: ServerInput, depth = 0): readonly InstallProblem[] {
  if (depth > maxDepth)
    return [{ path: '', reason: `has variables nested deeper than ${maxDepth} levels` }]
  const { value, default: preset, choices = [], isSecret, format, variables = {} } = input
  const own =
    'name' in input && typeof input.name === 'string' ? [['.name', input.name] as const] : []
  const texts = [
    ...own,
    ['.value', value] as const,
    ['.default', preset] as const,
    ...choices.map((choice) => ['.choices', choice] as const),
  ]
  const problems = texts.flatMap(([path, text]) => {
    const reason = text === undefined ? undefined : findTextProblem(text)
    return reason === undefined ? [] : [{ path, reason }]
  })
  for (const [path, text] of [
    ['.default', preset] as const,
    ...choices.map((choice) => ['.choices', choice] as const),
  ]) {
    const reason =
      text === undefined ? undefined : findReplyProblem(text, { format: format ?? 'string' })
    if (reason !== undefined) problems.push({ path, reason })
  }
  // Two harmless halves may make a whole: the answers of the entry itself are looked at in their place.
  const filled = value === undefined ? undefined : findTextProblem(valueOf(input, '', sample) ?? '')
  if (filled !== undefined && problems.length === 0)
    problems.push({ path: '.value', reason: filled })
  const inner =
    depth === 0 ? undefined : texts.find(([, text]) => text !== undefined && /[${}%`"^]/.test(text))
  if (inner !== undefined && value === undefined) {
    problems.push({
      path: inner[0],
      reason: 'is a part of a value, and must not have $, {, }, %, ^, quotes or backticks',
    })
  }
  if (isSecret && preset !== undefined) {
    problems.push({
      path: '.default',
      reason: 'is the default of a secret, which would be hidden from the user: leave it out',
    })
  }
  const within = Object.entries(variables).flatMap(([name, each]) =>
    inputProblems(each, depth + 1).map(({ path, reason }) => ({
      path: `.variables.${name}${path}`,
      reason,
    })),
  )
  return [...problems, ...within]
}
