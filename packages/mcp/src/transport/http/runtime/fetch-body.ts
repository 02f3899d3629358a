import type { HeldBytes } from '../../../rpc/byte-account.ts'
import type { RawMessage } from '../../../rpc/transport.ts'
import { noRoom } from '../admission/capacity.ts'
import { HttpRefusal } from '../admission/http-errors.ts'
import { BodyChunks, bodyProblems, BodyRefused, type BodyLimits } from './exchange.ts'

/** Reads a body within its limits, or takes what was read before us. */
export async function readFetchBody(
  request: Request,
  parsedBody: unknown,
  limits: BodyLimits,
  held: HeldBytes,
): Promise<RawMessage> {
  if (typeof parsedBody === 'string') return parsedBody
  if (typeof parsedBody === 'object' && parsedBody !== null) return parsedBody
  if (Number(request.headers.get('content-length')) > limits.maxBytes) throw tooLarge(limits)
  if (request.body === null || request.bodyUsed) return ''
  const reader = request.body.getReader()
  let timer: Disposable | undefined
  const tooSlow = new Promise<never>((_, reject) => {
    timer = limits.timer.after(() => reject(new BodyRefused(408, bodyProblems.tooSlow(limits))))
  })
  try {
    return await Promise.race([collect(reader, limits, held), tooSlow])
  } catch (error) {
    const isOurs = error instanceof BodyRefused || error instanceof HttpRefusal
    throw isOurs ? error : new BodyRefused(400, bodyProblems.cutOff)
  } finally {
    timer?.[Symbol.dispose]()
  }
}

/** Stops at the limit and leaves the rest to the runtime: to cancel it may take the connection away from the answer. */
async function collect(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  limits: BodyLimits,
  held: HeldBytes,
): Promise<string> {
  const chunks = new BodyChunks()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return new TextDecoder().decode(chunks.take())
    const refusal = held.reserve(value.byteLength)
    if (refusal) throw noRoom(refusal)
    chunks.add(value)
    if (chunks.size > limits.maxBytes) throw tooLarge(limits)
  }
}

function tooLarge(limits: BodyLimits): BodyRefused {
  return new BodyRefused(413, bodyProblems.tooLarge(limits))
}
