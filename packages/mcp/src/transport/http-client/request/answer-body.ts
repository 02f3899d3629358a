import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

import { unanswered } from './answer-failures.ts'
import type { BodySink } from './http-request.ts'

/**
 * Reads the body of an answer, unpacked if need be: we ask for no coding, and to whom nothing is said may use any.
 * What is returned stops that; ending the request does not if all of it has arrived.
 */
export function readResponseBody(
  response: IncomingMessage,
  url: URL,
  sink: BodySink,
): (() => void) | undefined {
  const coding = response.headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (coding === '' || coding === 'identity') {
    read(response, sink)
    return undefined
  }
  const decoder = decoders.get(coding)?.()
  if (decoder !== undefined) return decode(response, decoder, { url, coding, sink })
  response.destroy()
  const named = JSON.stringify(coding.slice(0, 40))
  sink.end(
    unanswered(
      `${url.origin}${url.pathname}`,
      `sent a body coded as ${named}, which we cannot read`,
    ),
  )
  return undefined
}

/** Small steps, so that little is unpacked beyond what is taken: a bomb ends at the limit of its reader. */
const steps = { chunkSize: 16 * 1024 }

const decoders = new Map<string, () => Transform>([
  ['gzip', () => createGunzip(steps)],
  ['x-gzip', () => createGunzip(steps)],
  ['deflate', () => createInflate(steps)],
  ['br', () => createBrotliDecompress(steps)],
])

interface Decoding {
  readonly url: URL
  readonly coding: string
  readonly sink: BodySink
}

function decode(
  response: IncomingMessage,
  decoder: Transform,
  { url, coding, sink }: Decoding,
): () => void {
  let decodeError: unknown
  let damage: Error | undefined
  decoder.once('error', (error) => {
    if (error !== decodeError) damage = error
  })
  response.once('error', (error) => {
    decodeError = error
    decoder.destroy(error)
  })
  read(response.pipe(decoder), {
    data: (chunk) => sink.data(chunk),
    end(error) {
      if (damage === undefined) return sink.end(error)
      response.destroy()
      sink.end(
        unanswered(
          `${url.origin}${url.pathname}`,
          `sent a body that is not valid ${coding}: ${damage.message}`,
        ),
      )
    },
  })
  return () => void decoder.destroy()
}

function read(body: Readable, sink: BodySink): void {
  let isOver = false
  const end = (error?: unknown): void => {
    if (isOver) return
    isOver = true
    sink.end(error)
  }
  body.on('data', (chunk: Uint8Array) => {
    const drained = sink.data(chunk)
    if (!drained) return
    body.pause()
    void drained.then(() => body.resume())
  })
  body.on('end', () => end())
  body.on('error', end)
  body.on('close', () => {
    if (!isOver) end(new Error('the connection closed before the end of the answer'))
  })
}
