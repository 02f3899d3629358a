/**
 * The variables of a policy's expressions for one request: caller, server, tool, arguments, time. Each is made when a rule first
 * names it. Values that callers choose freely are cut; names that a server might read in another way are rejected.
 */

import { readArguments, toolClaims, type CelMap } from '@parley/foundation/rules'
import type { JsonObject, JsonValue } from '@parley/mcp'
import { canonicalUri } from '@parley/mcp/address'
import { isJsonObject } from '@parley/mcp/json'

import type { Caller, Subject } from '../check.ts'

/** Throws where rules would see another address than the server may read. */
export function requireCanonical({ kind, name }: Subject): void {
  if (kind !== 'resource' || canonicalUri(name) !== undefined) return
  throw new Error(
    'its URI can be read in more than one way: write it without encoded slashes, backslashes, control characters, a user name, and a host after file:',
  )
}

/** The variables of one request. Each is made when a rule first names it; a class, since there is one for every request. */
export class PolicyValues {
  readonly upstream: string
  /** Undefined for an entry of a list. */
  readonly args: CelMap | undefined
  readonly #caller: Caller
  readonly #method: string
  readonly #subject: Subject
  readonly #now: () => Date
  #claims: CelMap | undefined
  #time: Date | undefined

  constructor(
    caller: Caller,
    method: string,
    subject: Subject,
    { args, now }: { readonly args: CelMap | undefined; readonly now: () => Date },
  ) {
    this.upstream = subject.upstream
    this.args = args
    this.#caller = caller
    this.#method = method
    this.#subject = subject
    this.#now = now
  }

  get caller(): CelMap {
    const { principal, isAnonymous, scopes, keyId = '' } = this.#caller
    return new Map<string, unknown>([
      ['principal', principal],
      ['isAnonymous', isAnonymous],
      ['scopes', scopes],
      ['keyId', keyId],
      ['claims', this.jwt],
    ])
  }

  get jwt(): CelMap {
    this.#claims ??= readArguments(this.#caller.claims).value
    return this.#claims
  }

  get client(): CelMap {
    const { client } = this.#caller
    return new Map([
      ['name', shortText(client?.name)],
      ['version', shortText(client?.version)],
      ['title', shortText(client?.title)],
    ])
  }

  get mcp(): CelMap {
    const subject = subjects.get(this.#subject)
    if (subject?.method === this.#method) return subject.values
    const values = subjectValues(this.#method, this.#subject)
    subjects.set(this.#subject, { method: this.#method, values })
    return values
  }

  /** The tool in the words that the rules of hosts use too; its texts are empty if the request is about something else. */
  get tool(): CelMap {
    const isTool = this.#subject.kind === 'tool'
    const { annotations }: Shown = this.#subject.definition ?? {}
    const claims = toolClaims(isTool && isJsonObject(annotations) ? { ...annotations } : {})
    return new Map<string, unknown>([
      ['name', isTool ? this.#subject.name : ''],
      ...Object.entries(claims),
    ])
  }

  get server(): CelMap {
    return new Map([['name', this.upstream]])
  }

  get time(): Date {
    this.#time ??= this.#now()
    return this.#time
  }
}

/** Values by subject: subjects in lists are the same objects from request to request. */
const subjects = new WeakMap<Subject, { readonly method: string; readonly values: CelMap }>()

/** `mcp`: all three kinds are there, with empty texts for what the request is not about, so that no rule stumbles over them. */
function subjectValues(method: string, subject: Subject): CelMap {
  const { title, annotations, mimeType }: Shown = subject.definition ?? {}
  const isResource = subject.kind === 'resource' || subject.kind === 'resourceTemplate'
  const entry = [
    ['name', subject.name],
    ['exposedName', subject.exposedName],
    ['upstream', subject.upstream],
    ['title', shortText(title)],
  ] as const
  const none = entry.map(([name]) => [name, ''] as const)
  const tool = new Map<string, unknown>(subject.kind === 'tool' ? entry : none)
  tool.set('annotations', hintsOf(subject.kind === 'tool' ? annotations : undefined))
  const resource = new Map<string, unknown>(isResource ? entry : none)
  if (subject.kind === 'resource') {
    const uri = canonicalUri(subject.name) ?? ''
    for (const name of ['name', 'exposedName', 'uri', 'normalizedUri']) resource.set(name, uri)
  } else {
    const pattern = isResource ? subject.name : ''
    for (const name of ['uri', 'normalizedUri']) resource.set(name, pattern)
  }
  resource.set('mimeType', isResource ? shortText(mimeType) : '')
  return new Map<string, unknown>([
    ['method', method],
    ['kind', subject.kind],
    ['tool', tool],
    ['prompt', new Map<string, unknown>(subject.kind === 'prompt' ? entry : none)],
    ['resource', resource],
  ])
}

/** The parts of a definition that rules may use; nothing else of it is trusted to have a form. */
interface Shown {
  readonly title?: unknown
  readonly annotations?: unknown
  readonly mimeType?: unknown
}

/** With the defaults of the specification: a tool that says nothing may write, destroy and reach the world. */
function hintsOf(annotations: unknown): CelMap {
  const hints = isJsonObject(annotations) ? annotations : {}
  const readOnly = own(hints, 'readOnlyHint') === true
  const destructive = own(hints, 'destructiveHint') !== false
  const idempotent = own(hints, 'idempotentHint') === true
  const openWorld = own(hints, 'openWorldHint') !== false
  return new Map([
    ['readOnlyHint', readOnly],
    ['readOnly', readOnly],
    ['destructiveHint', destructive],
    ['destructive', destructive],
    ['idempotentHint', idempotent],
    ['idempotent', idempotent],
    ['openWorldHint', openWorld],
    ['openWorld', openWorld],
  ])
}

function own(value: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined
}

/** Shortens a text that callers choose freely. */
function shortText(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 200) : ''
}
