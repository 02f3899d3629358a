/**
 * Request states: what a server needs to continue after an input round, kept by the client.
 *
 * Encrypts and authenticates them with the secrets of the service, bound to the server, the caller, the method and the
 * arguments. Any process with the same secrets can open one; tools with `singleUse` accept each only once. What is in a state is
 * decided by `input-rounds.ts`; keys are made in `key-ring.ts`.
 */
import { principalOf } from '../../rpc/auth-info.ts'
import { McpError } from '../../rpc/errors/mcp-error.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { canonicalJson } from '../../schema/canonical-json.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Call } from '../calls/call.ts'
import type { Definition } from '../definition.ts'
import { createKeyRing, type KeyRing, type Secrets } from './key-ring.ts'
import type { OnceResults } from './once.ts'

/** Remembers keys for as long as they could be used again. */
export interface SingleUseSet {
  /** True the first time. */
  add(key: string, ttlMs: number): Promise<boolean>
}

/** More keys at once are refused. */
const maxKeys = 100_000

/** Kept in the memory of this process. */
export function createSingleUseSet(now: () => number = Date.now): SingleUseSet {
  const expiries = new Map<string, number>()

  function forgetExpired(): void {
    for (const [key, expiry] of expiries) if (expiry <= now()) expiries.delete(key)
  }

  return {
    async add(key, ttlMs) {
      const expiry = expiries.get(key)
      if (expiry !== undefined && expiry > now()) return false
      if (expiries.size >= maxKeys) forgetExpired()
      if (expiries.size >= maxKeys) throw new RpcError('overloaded', 'too many calls to remember')
      expiries.set(key, now() + ttlMs)
      return true
    },
  }
}

/** The `requestState` of a call: what the client keeps for us between two rounds. Members are short because they travel. */
export interface RequestState {
  readonly round: number
  readonly expires: number
  readonly nonce: string
  /** Kinds of the input requests that were sent, by key. */
  readonly asked?: { readonly [key: string]: string }
  /** Keys of those that a handler returned: their answers count for the next run only. */
  readonly returned?: readonly string[]
  readonly answers: { readonly [key: string]: StoredResponse }
  readonly once: OnceResults
  readonly state?: unknown
}

/** An answer of an earlier round, and the kind of input request it belongs to. */
export interface StoredResponse {
  readonly kind: string
  readonly answer: JsonObject
}

/** Seals a state for this call. Throws `limit_exceeded` if it is larger than `limits.stateBytes`. */
export async function encryptState(call: Call, state: RequestState): Promise<string> {
  const { stateBytes } = call.caller.limits
  const encrypted = await cipherOf(call).keys.encrypt(JSON.stringify(state), bindingOf(call))
  if (encrypted.length <= stateBytes) return encrypted
  const why = `what the call remembers between rounds is larger than limits.stateBytes (${stateBytes}) allows`
  throw new RpcError('limit_exceeded', why, { data: { limit: 'stateBytes', allowed: stateBytes } })
}

/** Opens a state that a client sent back. Throws `invalid_params` if it is not ours, not for this call, or too old. */
export async function openState(call: Call, encrypted: string): Promise<RequestState> {
  const text = await cipherOf(call).keys.open(encrypted, bindingOf(call))
  if (text === undefined) throw rejectedState('it was changed, or belongs to another call')
  const state = JSON.parse(text) as RequestState // sealed by us
  if (state.expires <= Date.now()) throw rejectedState('it is too old')
  return state
}

/** For tools with `singleUse`: rejects a state that has been used before. */
export async function useState(call: Call, { nonce }: RequestState): Promise<void> {
  const isFirst = await cipherOf(call).used.add(nonce, call.caller.limits.inputMs)
  if (!isFirst) throw rejectedState('it has been used before')
}

/** Seals text of a proxy for this call; it opens only for the same caller, method and arguments. */
export function encryptText(call: Call, text: string): Promise<string> {
  return cipherOf(call).keys.encrypt(text, bindingOf(call))
}

/** Undefined for text that was not sealed here, or for another call. */
export function openText(call: Call, encrypted: string): Promise<string | undefined> {
  return cipherOf(call).keys.open(encrypted, bindingOf(call))
}

function rejectedState(why: string): RpcError {
  return new RpcError('invalid_params', `requestState was refused: ${why}; call again without it`)
}

/** A state opens only for the same caller, the same method and the same arguments. */
function bindingOf({ caller, method, params }: Call): string {
  const { _meta, inputResponses, requestState, ...main } = params
  return canonicalJson([principalOf(caller.auth), method, main])
}

/** Secrets that encrypt states; one object for all services that can open each other's states. */
export interface StateSecrets {
  /** The name of the server. */
  readonly server: string
  /** Undefined for a random one. */
  readonly secrets: Secrets | undefined
  /** The states used before. @defaultValue in the memory of this process */
  readonly used?: SingleUseSet | undefined
}

const knownSecrets = new WeakMap<Definition, Map<string, StateSecrets>>()

/** All services of a definition open each other's states: in this process or, with a secret, in every process. */
export function stateSecretsFor(
  definition: Definition,
  { secret }: { readonly secret?: string | readonly string[] | undefined },
): StateSecrets {
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (secrets !== undefined) checkSecrets(secrets)
  const bySecret = knownSecrets.get(definition) ?? new Map<string, StateSecrets>()
  knownSecrets.set(definition, bySecret)
  const name = JSON.stringify(secrets)
  const found = bySecret.get(name) ?? { server: definition.info.name, secrets }
  bySecret.set(name, found)
  return found
}

/** Anyone who has a state can try secrets on it for as long as they like. */
const minCharacters = 16

function checkSecrets(secrets: readonly string[]): void {
  if (secrets.length > 0 && secrets.every(({ length }) => length >= minCharacters)) return
  const why = `secret: expected at least ${minCharacters} random characters`
  throw new McpError('invalid_definition', why, { details: { feature: 'secret' } })
}

interface Cipher {
  readonly keys: KeyRing
  readonly used: SingleUseSet
}

const sealings = new WeakMap<StateSecrets, Cipher>()

/** Made when there is first something to seal or to open. */
function cipherOf({ caller: { stateSecrets } }: Call): Cipher {
  if (stateSecrets === undefined)
    throw new TypeError('this caller is asked and answers in one round')
  const cipher = sealings.get(stateSecrets) ?? {
    keys: keysFor(stateSecrets),
    used: stateSecrets.used ?? createSingleUseSet(),
  }
  sealings.set(stateSecrets, cipher)
  return cipher
}

/** The name of the server is bound too: another server may have the same secret, and tools of the same name. */
function keysFor({ server, secrets }: StateSecrets): KeyRing {
  const keys = createKeyRing(secrets)
  const name = JSON.stringify(server)
  return {
    ...keys,
    encrypt: (text, exposed) => keys.encrypt(text, `${name} ${exposed}`),
    open: (encrypted, exposed) => keys.open(encrypted, `${name} ${exposed}`),
  }
}
