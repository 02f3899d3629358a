import type { OnError } from '../../rpc/errors/error-report.ts'
import { later } from '../../rpc/lazy.ts'
import type { Clock } from '../../rpc/time/clock.ts'
import { clientRequestRow } from '../../schema/methods/client-requests.ts'
import { keptAnswersPart } from '../lazy-parts.ts'
import type { ConnectOptions } from '../options.ts'
import type { Change } from '../subscriptions/changes.ts'
import type { KeptAnswers } from './response-cache.ts'

/** What one client keeps of its server's answers, from the first that it may keep. */
export interface AnswersLater {
  /** Whether answers to it are ever kept. */
  mayKeep(operation: string): boolean
  load(): Promise<KeptAnswers>
  /** The server, or the lack of news from it, says that something is no longer true. */
  invalidate(change: Change): void
  /** One list, all pages of it. */
  forget(operation: string): void
}

/**
 * Private answers belong to who asked: to a partition if one is named, else to this client alone. Undefined if nothing
 * is to be kept.
 */
export function answersLater(
  { cache, auth }: ConnectOptions,
  cacheName: string | undefined,
  clock: Clock,
  onError: OnError,
): AnswersLater | undefined {
  if (cache === false) return undefined
  const own = crypto.getRandomValues(new Uint32Array(4)).join('-')
  const server = cacheName ?? own
  const partition = auth?.partition || own
  const answers = later(async () => {
    const { createKeptAnswers } = await keptAnswersPart.load()
    return createKeptAnswers({ cache, server, partition, clock, onError })
  })

  return {
    mayKeep: (operation) => clientRequestRow(operation).staleAfter !== undefined,
    load: answers.load,
    invalidate(change) {
      if (answers.loaded) return answers.loaded.invalidate(change)
      // In a cache of our own there is nothing yet.
      if (cache) answers.load().then((kept) => kept.invalidate(change), report)
    },
    forget: (operation) => answers.loaded?.forget(operation),
  }

  function report(error: unknown): void {
    onError(error, { severity: 'warning', operation: 'cache' })
  }
}
