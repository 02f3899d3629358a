/**
 * Resources that a person attached to a conversation: the host subscribes to them, reads what changed again, and shows the
 * difference between what the model got and what is there now. It sends nothing to the model by itself.
 *
 * One instance for all conversations of a host. Attaching itself is `attachments.ts`; the chat and the terminal show the list.
 */

import { createHash } from 'node:crypto'

import type { ReadResourceResult } from '@parley/mcp'
import type { Client, Subscription } from '@parley/mcp/client'
import { errorMessage } from '@parley/mcp/json'
import { anySignal } from '@parley/mcp/signals'

import type { ServerConnection } from '../connections/connection.ts'
import type { Attachment } from '../turn/turn-input.ts'

/** A resource that a person attached to a conversation, and what became of it since. */
export interface AttachedResource extends Attachment {
  /** When the model got it, in milliseconds since the epoch. */
  readonly attachedAt: number
  /** Whether its server notifies of changes. */
  readonly isFollowed: boolean
  /** Set once it differs from what the model got. */
  readonly change?: ResourceChange | undefined
}

/** A resource when it was attached, and now. */
export interface ResourceChange {
  /** When the change was seen, in milliseconds since the epoch. */
  readonly at: number
  /** The text that the model got; the first 100,000 characters. */
  readonly before: string
  /** The text now; empty if it can no longer be read. */
  readonly after: string
  /** Why it can no longer be read. */
  readonly problem?: string | undefined
}

/** Follows what was attached: the servers are asked to tell of changes, and what changed is read again. */
export interface AttachedResources {
  /** Asks the server to tell of changes from now on. Followed by `add`, or by `cancel` if it could not be read. */
  begin(attachment: Attachment): void
  /** It was not attached after all. */
  cancel(attachment: Attachment): void
  /** Adds the resource that the model just got. Replaces the same resource of the same conversation. */
  add(conversation: string, attachment: Attachment, contents: Contents): void
  /** Those of a conversation, oldest first. */
  of(conversation: string): readonly AttachedResource[]
  /** Stops watching a resource. */
  remove(conversation: string, attachment: Attachment): void
  /** The server has a new connection: what is attached of it is followed there. */
  onConnected(connection: ServerConnection): void
}

/** The parts of the host that are needed. */
export interface AttachedResourcesContext {
  readonly connections: readonly ServerConnection[]
  /** Aborts when the host closes. */
  readonly closed: AbortSignal
  /** How long a read may take. */
  readonly readMs: number
  /** Something that was attached has changed. */
  onChange(attachment: Attachment): void
}

type Contents = ReadResourceResult['contents']

interface Attached extends Attachment {
  readonly conversation: string
  readonly attachedAt: number
  readonly digest: string
  readonly text: string
  change?: ResourceChange
}

interface Subscribed {
  readonly attachment: Attachment
  client?: Client | undefined
  subscription?: Subscription | undefined
  reading?: Promise<void> | undefined
  isStale: boolean
}

/** More are not followed; the oldest are forgotten. */
const maxAttached = 100
const maxCharacters = 100_000
/** A resource that changes all the time is read at most so often. */
const pauseMs = 1_000

/** Made once for all conversations of a host. */
export function createAttachedResources(parts: AttachedResourcesContext): AttachedResources {
  const { connections, closed, readMs, onChange } = parts
  const attached = new Map<string, Attached>()
  const subscribed = new Map<string, Subscribed>()

  const keyOf = ({ server, uri }: Attachment) => JSON.stringify([server, uri])

  function follow({ server, uri }: Attachment): void {
    const key = keyOf({ server, uri })
    if (subscribed.has(key)) return
    const item: Subscribed = { attachment: { server, uri }, isStale: false }
    subscribed.set(key, item)
    void subscribe(item)
  }

  function unfollow(attachment: Attachment): void {
    const key = keyOf(attachment)
    if ([...attached.values()].some((candidate) => keyOf(candidate) === key)) return
    const entry = subscribed.get(key)
    subscribed.delete(key)
    entry?.subscription?.[Symbol.asyncDispose]().then(undefined, ignoreLoss)
  }

  async function subscribe(item: Subscribed): Promise<void> {
    const { server, uri } = item.attachment
    const client = connections.find((each) => each.server.name === server)?.client
    if (client === undefined || client === item.client) return
    item.client = client
    item.subscription = undefined
    if (client.server.capabilities.resources?.subscribe !== true) return
    try {
      const subscription = await client.listen({ resourceSubscriptions: [uri] }, { signal: closed })
      if (subscribed.get(keyOf(item.attachment)) !== item || item.client !== client) {
        return await subscription[Symbol.asyncDispose]()
      }
      item.subscription = subscription
      // The resource may have changed between the read and the subscription.
      const key = keyOf(item.attachment)
      if ([...attached.values()].some((each) => keyOf(each) === key)) void readAgain(item)
      for await (const _ of subscription) void readAgain(item)
    } catch {
      ignoreLoss() // a server that refuses, or is gone, is not followed
    }
    if (item.client === client) item.subscription = undefined
  }

  /** Several changes in short order are one. */
  function readAgain(item: Subscribed): Promise<void> {
    item.isStale = true
    return (item.reading ??= (async () => {
      while (item.isStale && !closed.aborted) {
        item.isStale = false
        await compare(item)
        if (item.isStale) await pause()
      }
      item.reading = undefined
    })())
  }

  async function compare({ attachment, client }: Subscribed): Promise<void> {
    const key = keyOf(attachment)
    const now = await readNow(client, attachment.uri)
    if (now === undefined) return
    let hasChanged = false
    for (const item of attached.values()) {
      if (keyOf(item) !== key) continue
      const wasChanged = item.change !== undefined
      const isSame = now.digest === item.digest
      if (isSame && !wasChanged) continue
      if (isSame) delete item.change
      else
        item.change = { at: Date.now(), before: item.text, after: now.text, problem: now.problem }
      hasChanged = true
    }
    if (hasChanged) onChange(attachment)
  }

  async function readNow(client: Client | undefined, uri: string) {
    if (client === undefined) return undefined
    const signal = anySignal(closed, AbortSignal.timeout(readMs))
    try {
      const { contents } = await client.readResource(uri, { signal, fresh: true })
      return { ...describe(contents), problem: undefined }
    } catch (error) {
      if (client.status.state !== 'ready' || signal.aborted) return undefined // what it is now is not known
      const problem = errorMessage(error)
      return { digest: '', text: '', problem }
    }
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, pauseMs)
      function done(): void {
        clearTimeout(timer)
        closed.removeEventListener('abort', done)
        resolve()
      }
      closed.addEventListener('abort', done, { once: true })
    })
  }

  return {
    begin: follow,
    cancel: unfollow,
    add(conversation, { server, uri }, contents) {
      const key = JSON.stringify([conversation, server, uri])
      attached.delete(key)
      attached.set(key, {
        conversation,
        server,
        uri,
        attachedAt: Date.now(),
        ...describe(contents),
      })
      for (const [oldKey, old] of attached) {
        if (attached.size <= maxAttached) break
        attached.delete(oldKey)
        unfollow(old)
      }
      follow({ server, uri })
    },
    of: (conversation) =>
      [...attached.values()]
        .filter((candidate) => candidate.conversation === conversation)
        .map(({ server, uri, attachedAt, change }) => {
          const isFollowed = subscribed.get(keyOf({ server, uri }))?.subscription !== undefined
          return { server, uri, attachedAt, isFollowed, ...(change && { change }) }
        }),
    remove(conversation, { server, uri }) {
      attached.delete(JSON.stringify([conversation, server, uri]))
      unfollow({ server, uri })
    },
    onConnected({ server }) {
      for (const item of subscribed.values()) {
        if (item.attachment.server === server.name) void subscribe(item)
      }
    },
  }
}

/** Returns the digest to compare, and the text to show. */
function describe(contents: Contents): { readonly digest: string; readonly text: string } {
  const texts = contents.map((content) => {
    if ('text' in content) return content.text
    const bytes = Math.floor((content.blob.length * 3) / 4)
    return `(${content.mimeType ?? 'binary'}, about ${bytes} bytes)`
  })
  const hash = createHash('sha256')
  for (const content of contents)
    hash.update('text' in content ? `t${content.text}\0` : `b${content.blob}\0`)
  return { digest: hash.digest('hex'), text: texts.join('\n\n').slice(0, maxCharacters) }
}

/** Ignores an error: the resource is shown as one without notifications. */
function ignoreLoss(): void {}
