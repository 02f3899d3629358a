import { plainName } from '@parley/foundation/text-safety'

import { failureReason } from '../connections/failure-reason.ts'
import { HostError } from '../host-error.ts'
import type { ModelContent } from '../models/model.ts'
import type { AppNote, Attachment } from '../turn/turn-input.ts'
import type { TurnContext } from '../turn/turn-parts.ts'
import { resourceBlock } from './read-resource.ts'
import { showResult } from './result-content.ts'

/** Context from apps for the model. It is data of their servers and marks the conversation as results do. */
export function showAppNotes(
  notes: readonly AppNote[],
  { connections, model, stored, limits, recorder }: TurnContext,
): readonly ModelContent[] {
  return notes.flatMap(({ server, content = [], structuredContent }) => {
    const connection = connections.find((candidate) => candidate.server.name === server)
    recorder.addFlow({
      ...(connection?.server.trusted !== true && { untrusted: true }),
      ...(connection?.server.private === true && { private: true }),
    })
    const shown = showResult(
      { content: [...content], ...(structuredContent && { structuredContent }) },
      {
        label: `what an app of the server ${plainName(server)} shows`,
        accepts: model.accepts,
        stored,
        maxCharacters: limits.resultCharacters,
      },
    )
    return shown.content
  })
}

/** Reads the attachments of a message. One that cannot be read is reported, to the model too. */
export async function readAttachments(
  attachments: readonly Attachment[],
  parts: TurnContext,
): Promise<readonly ModelContent[]> {
  const read = await Promise.all(attachments.map((attachment) => readAttachment(attachment, parts)))
  return read.flat()
}

async function readAttachment(
  { server, uri }: Attachment,
  parts: TurnContext,
): Promise<readonly ModelContent[]> {
  const { connections, consent, emit, signal, stored, model, limits, recorder, attached } = parts
  const connection = connections.find((candidate) => candidate.server.name === server)
  try {
    if (connection === undefined)
      throw new HostError('unknown_server', `there is no server ${server}`)
    const client = await connection.use(signal)
    attached.begin({ server, uri })
    const timeouts = { idleMs: limits.callIdleMs, totalMs: limits.callTotalMs }
    const found = await client.readResource(uri, { signal, timeouts })
    const shown = showResult(
      { content: found.contents.map(resourceBlock) },
      {
        label: `the resource ${uri} of the server ${server}, attached by the person`,
        accepts: model.accepts,
        stored,
        maxCharacters: limits.resultCharacters,
      },
    )
    recorder.addFlow({
      ...(connection.server.trusted !== true && { untrusted: true }),
      ...(connection.server.private === true && { private: true }),
    })
    const about = `${uri} was attached by the person`
    await consent.recordExchange?.({ kind: 'resource', server, decision: 'allow', message: about })
    attached.add(recorder.id, { server, uri }, found.contents)
    const size = shown.handle === undefined ? '' : ', in part: it is long'
    emit({ type: 'notice', code: 'attached', message: `${uri} was attached${size}`, server, uri })
    return shown.content
  } catch (error) {
    attached.cancel({ server, uri })
    const message = `${uri} could not be attached: ${failureReason(error)}`
    emit({ type: 'notice', code: 'server', message, server })
    return [{ type: 'text', text: `(${message})` }]
  }
}
