import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { measureJson } from '../../rpc/json/measure-json.ts'
import {
  decodeMessage,
  type Batch,
  type DecodeLimits,
  type Malformed,
  type Message,
  type Request,
  type RequestId,
  type WireError,
} from '../../rpc/message.ts'
import type { RawMessage } from '../../rpc/transport.ts'
import type { Codec } from '../../wire/codec.ts'
import { encodeWireError } from '../../wire/error-codes.ts'
import { badRequest, HttpRefusal } from './admission/http-errors.ts'

/** Decodes a body that was text, or was parsed before us and so has not been measured. */
export function decodeBody(raw: RawMessage, limits: DecodeLimits): Message | Malformed | Batch {
  const excess = typeof raw === 'string' ? undefined : measureJson(raw, limits)
  return decodeMessage(excess ?? raw, limits)
}

/** An error, and the id of what it answers where that could be read. */
export interface WireErrorOf {
  readonly id?: RequestId | undefined
  readonly error: WireError
}

/** The messages of a body, sorted by what becomes of them. */
export interface PostMessages {
  readonly isBatch: boolean
  readonly requests: readonly Request[]
  readonly others: readonly Exclude<Message, Request>[]
  /** For what is no message, and for ids that are in use. */
  readonly errors: readonly WireErrorOf[]
}

/** Throws `HttpRefusal` for an array where the revision has none, or that may not be one. */
export function sortMessages(
  decoded: Message | Batch,
  codec: Codec,
  isInUse: (id: Request['id']) => boolean,
): PostMessages {
  if (decoded.kind === 'request' && !isInUse(decoded.id)) {
    return oneRequest(decoded) // most are this
  }
  if (decoded.kind !== 'request' && decoded.kind !== 'batch') {
    return { isBatch: false, requests: none, others: [decoded], errors: none }
  }
  const isBatch = decoded.kind === 'batch'
  const members = isBatch ? decoded.members : [decoded]
  if (isBatch) requireBatch(members, codec)
  const requests = new Map<Request['id'], Request>()
  const others: Exclude<Message, Request>[] = []
  const errors: WireErrorOf[] = []
  for (const member of members) {
    if (member.kind === 'malformed') {
      if (member.isAnswerable) errors.push({ id: member.id, error: encodeWireError(member.error) })
    } else if (member.kind !== 'request') others.push(member)
    else if (requests.has(member.id) || isInUse(member.id)) {
      // Without the id: the answer to the first request with it must stay the only one.
      errors.push({ error: encodeWireError(idInUse(member.id)) })
    } else requests.set(member.id, member)
  }
  return { isBatch, requests: [...requests.values()], others, errors }
}

/** What most bodies are. */
export function oneRequest(request: Request): PostMessages {
  return { isBatch: false, requests: [request], others: none, errors: none }
}

const none: readonly never[] = []

function requireBatch(members: Batch['members'], codec: Codec): void {
  if (!codec.has.batches) {
    throw badRequest(400, 'this revision has no batches: send one message at a time')
  }
  if (members.length === 0) throw badRequest(400, 'an empty batch')
  if (members.some((member) => member.kind === 'request' && member.method === 'initialize')) {
    throw badRequest(400, 'initialize may not be part of a batch')
  }
}

/** The answer to a body that is no message at all. */
export function malformedRefusal({ error, id, isAnswerable }: Malformed): HttpRefusal {
  return new HttpRefusal(400, error, {}, isAnswerable ? id : undefined)
}

/** Two requests with one id could not be told apart. */
export function idInUse(id: Request['id']): RpcError {
  return new RpcError('invalid_request', `the request id ${JSON.stringify(id)} is still in use`)
}
