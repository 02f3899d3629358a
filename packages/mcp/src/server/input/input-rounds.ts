/**
 * Input requests of a call over several rounds, in revisions without server requests.
 *
 * A handler that asks ends its round: the call responds with `input_required` and an encrypted state, and the client calls again
 * with the answers. The handler then runs from its start, and gets recorded answers until it asks something new. `request-state.ts`
 * encrypts the state, `once.ts` keeps side effects from happening twice, `ask-now.ts` is the way of revisions with server requests.
 */
import { afterThisTurn } from '../../rpc/after-this-turn.ts'
import { McpError } from '../../rpc/errors/mcp-error.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { isPromise } from '../../rpc/promise.ts'
import type { ElicitRequestURLParams } from '../../schema/input/elicitation.ts'
import type { InputRequest, InputResponses } from '../../schema/input/input.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Call } from '../calls/call.ts'
import { requestNow, encodeInputRequest, mayWait, requireCapability } from './ask-now.ts'
import {
  type InputRequest as NamedRequest,
  RoundEnd,
  type InputRequired,
} from './input-required.ts'
import type { OnceResults } from './once.ts'
import { requestUrl, inputRequestOf, type InputRequestForm } from './question.ts'
import {
  openState,
  encryptState,
  useState,
  type StoredResponse,
  type RequestState,
} from './request-state.ts'

/**
 * The input requests of one call. Where an input request ends the round, the client calls again with the answers and the
 * handler runs from the top: earlier answers come from the request state, and `once` does not repeat its work. The state
 * travels with the client, sealed; nothing is kept here.
 */
export interface InputRounds {
  /** The name of the next input request. Throws for a key that this run has used before. */
  name(key: string | undefined): string
  /** Resolves with a recorded answer, or never: then the round ends. */
  ask<T>(inputRequest: InputRequestForm<T>, name: string, wait?: () => Promise<T>): Promise<T>
  /** The answer to an input request that the handler returned in the last round; undefined without a valid one. */
  response<T>(key: string, request: NamedRequest<T>): T | undefined
  /** The state that the handler returned in the last round. */
  readonly state: unknown
  /** Work done in earlier rounds. */
  readonly done: OnceResults
  /** For tools with `singleUse`: rejects a request state that has been used before. */
  redeem(): Promise<void>
  /** True while the handler repeats earlier rounds: its logs and progress have been sent already. */
  isBehind(): boolean
  /** Ends the round with what a handler returned; or sends it now, after which the handler runs again. */
  end(returned: InputRequired): Promise<RoundEnd | undefined>
  /** Ends the round by sending the user to URLs; undefined if the client cannot, or the user declined. */
  showLinks(links: readonly ElicitRequestURLParams[]): Promise<RoundEnd | undefined>
}

/** The input requests of a call; made with the first one. */
export function roundsOf(call: Call): InputRounds {
  call.rounds ??= createRounds(call)
  return call.rounds
}

/** Continues a call with what the client sent back. Throws `invalid_params` for a state that is not ours, or too old. */
export async function resumeRounds(
  call: Call,
  requestState: string | undefined,
  responses: InputResponses,
): Promise<InputRounds> {
  if (requestState === undefined) return createRounds(call, undefined, responses)
  return createRounds(call, await openState(call, requestState), responses)
}

function createRounds(
  call: Call,
  previousState?: RequestState,
  input: InputResponses = {},
): InputRounds {
  const answers = new Map([
    ...Object.entries(previousState?.answers ?? {}),
    ...answered(previousState, input),
  ])
  const open = new Map<
    string,
    { readonly inputRequest: InputRequestForm; reject(error: unknown): void }
  >()
  const used = new Set<string>()
  const { limits } = call.caller
  let responses = input
  /** Keys of the input requests that the handler returned in the last round. */
  let returned = new Set(previousState?.returned)
  let state = previousState?.state
  let round = previousState?.round ?? 0
  let positions = 0
  /** How many answers of earlier rounds this run has not reached yet. */
  let ahead = answers.size

  function name(key = `question-${(positions += 1)}`): string {
    if (returned.size > 0) throw twoWays()
    // The answer to one must not count for another.
    if (used.has(key))
      throw new TypeError(`two input requests have the key ${key}: give each its own`)
    used.add(key)
    return key
  }

  async function ask<T>(
    inputRequest: InputRequestForm<T>,
    key: string,
    wait?: () => Promise<T>,
  ): Promise<T> {
    const answer = answers.get(key)
    if (answer !== undefined) {
      if (answer.kind !== inputRequest.kind) throw diverged(key, answer.kind, inputRequest)
      if (ahead > 0) ahead -= 1
      const read = await inputRequest.read(answer.answer, call.caller.codec)
      if (read.problem === undefined) return read.value
      answers.delete(key) // and asked again
    }
    if (wait) return wait()
    if (open.size === 0) afterThisTurn(() => void suspend())
    return new Promise<T>((_, reject) => open.set(key, { inputRequest, reject }))
  }

  /** Input requests of one turn of the event loop are sent together. */
  async function suspend(): Promise<void> {
    const inputMethods = new Map([...open].map(([key, { inputRequest }]) => [key, inputRequest]))
    const asked = Object.fromEntries([...inputMethods].map(([key, { kind }]) => [key, kind]))
    const next = { asked, answers: Object.fromEntries(answers), state }
    const reason = roundEnded()
    try {
      call.suspend(await encrypt(inputMethods, next, reason))
    } catch (error) {
      call.suspend(Promise.reject(error))
    }
    for (const { reject } of open.values()) reject(reason)
    call.abandonWork(reason)
  }

  async function encrypt(
    inputMethods: ReadonlyMap<string, InputRequestForm>,
    next: Pick<RequestState, 'asked' | 'returned' | 'answers' | 'state'>,
    reason: McpError,
  ): Promise<RoundEnd> {
    if (round >= limits.rounds) throw tooManyRounds(limits.rounds)
    const inputRequests = [...inputMethods].map(
      ([key, inputRequest]) => [key, toInputRequest(call, inputRequest)] as const,
    )
    const following: RequestState = {
      round: round + 1,
      expires: Date.now() + limits.inputMs,
      nonce: crypto.randomUUID(),
      once: await call.closeOnce(reason),
      ...next,
    }
    const requestState = await encryptState(call, following)
    return new RoundEnd({
      resultType: 'input_required',
      ...(inputRequests.length > 0 && { inputRequests: Object.fromEntries(inputRequests) }),
      requestState,
    })
  }

  return {
    name,
    ask,
    done: previousState?.once ?? {},
    get state() {
      return state
    },
    isBehind: () => ahead > 0,

    async redeem() {
      if (previousState === undefined) responses = {} // without a state nobody knows whether they were used before
      else await useState(call, previousState)
    },

    response<T>(key: string, request: NamedRequest<T>): T | undefined {
      // A client that sends no state may answer what it knows will be asked.
      const mayRespond = previousState === undefined || returned.has(key)
      const answer = mayRespond && Object.hasOwn(responses, key) && responses[key]
      if (!answer) return undefined
      const inputRequest = inputRequestOf(request) as InputRequestForm<T> // the type of a request is that of its answer
      const read = inputRequest.read(answer, call.caller.codec)
      if (isPromise(read)) {
        const why = `the schema of ${key} is checked asynchronously: use context.elicit for it`
        throw new TypeError(why)
      }
      return read.problem === undefined ? read.value : undefined
    },

    async end({ requests, state: nextState }) {
      if (used.size > 0) throw twoWays()
      const entries = Object.entries(requests).map(
        ([key, request]) => [key, inputRequestOf(request)] as const,
      )
      for (const [, inputRequest] of entries) requireCapability(call, inputRequest)
      if (!mayWait(call)) {
        call.background?.endRound()
        const next = { returned: Object.keys(requests), answers: {}, state: nextState }
        return encrypt(new Map(entries), next, roundEnded())
      }
      round += 1
      if (round > limits.rounds) throw tooManyRounds(limits.rounds)
      const answering = entries.map(async ([key, inputRequest]) => {
        const unread: InputRequestForm = { ...inputRequest, read: (answer) => ({ value: answer }) }
        const value = await requestNow(call, unread, key)
        return [key, value as JsonObject] as const // the result of a request is an object
      })
      responses = Object.fromEntries(await Promise.all(answering))
      returned = new Set(Object.keys(requests))
      state = nextState === undefined ? undefined : JSON.parse(JSON.stringify(nextState))
      return undefined
    },

    async showLinks(links) {
      const { codec, client } = call.caller
      const canShow = codec.has.elicitation === 'full' && client.capabilities.elicitation?.url
      if (mayWait(call) || !canShow) return undefined
      const inputMethods = new Map(links.map((link, at) => [`link-${at + 1}`, requestUrl(link)]))
      const isDeclined = [...inputMethods.keys()].some(
        (key) => Object.hasOwn(responses, key) && responses[key]?.['action'] !== 'accept',
      )
      if (isDeclined) return undefined
      call.background?.endRound()
      // Nobody reads the answers: the handler runs again and finds out by itself.
      return encrypt(inputMethods, { answers: Object.fromEntries(answers), state }, roundEnded())
    },
  }
}

/** The client's answers to the input requests it was sent, not checked yet; other answers are ignored. */
function answered(
  previousState: RequestState | undefined,
  responses: InputResponses,
): (readonly [string, StoredResponse])[] {
  return Object.entries(previousState?.asked ?? {}).flatMap(([key, kind]) => {
    const answer = Object.hasOwn(responses, key) ? responses[key] : undefined
    return answer === undefined ? [] : [[key, { kind, answer }] as const]
  })
}

function twoWays(): TypeError {
  return new TypeError('a handler either returns inputRequired or awaits answers, not both')
}

function roundEnded(): McpError {
  return new McpError('cancelled', 'the round has ended: the client is asked', {
    details: { by: 'suspended' },
  })
}

function toInputRequest(call: Call, inputRequest: InputRequestForm): InputRequest {
  const params = encodeInputRequest(call, inputRequest)
  return { method: inputRequest.method, params: (params ?? {}) as JsonObject } // messages are JSON
}

function diverged(key: string, expected: string, { kind }: InputRequestForm): McpError {
  const why = `when it ran again, the handler asked for ${key} as a ${kind} instead of a ${expected}: ask for the same input in each run, or give each request a key`
  return new McpError('replay_diverged', why, { details: { expected, got: kind } })
}

function tooManyRounds(allowed: number): RpcError {
  const why = `the call asks more often than limits.rounds (${allowed}) allows`
  return new RpcError('limit_exceeded', why, { data: { limit: 'rounds', allowed } })
}
