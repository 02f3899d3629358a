import { setTimeout as wait } from 'node:timers/promises'

import { isMcpError, RpcError, ToolError } from '@parley/mcp'
import { defineTool, type Context, type Feature, type RequestContext } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import type { FindSession, Session } from '../session.ts'
import { reportRejection } from './tell-refusal.ts'

interface Link {
  readonly url: string
  readonly message: string
  readonly elicitationId?: string | undefined
}

/** What has to be visited before a call with `errorPath` goes through. */
const prerequisite = 'https://example.com/everything/prerequisite'
const why = 'Open this page first, then make the same call again.'

/**
 * Sends the user to a page: by a question, or by an error that names what has to be visited first. No page tells this
 * server that somebody was there, so after `visitMs` it acts as if one had.
 */
export function urlElicitation(sessionOf: FindSession, visitMs: number): Feature {
  const expected = new WeakMap<Session, Set<string>>()

  /** What calls of this session were told to visit. */
  function toldIn(session: Session): Set<string> {
    const completed = expected.get(session) ?? new Set()
    expected.set(session, completed)
    return completed
  }

  return defineTool(
    'trigger-url-elicitation',
    {
      title: 'Trigger URL Elicitation Tool',
      description:
        'Asks the user to open a link; with errorPath it fails first, and says what has to be opened before.',
      inputSchema: z.object({
        url: z.url().describe('The page to open'),
        message: z
          .string()
          .default('Please open the link to complete this action.')
          .describe('Why to open it'),
        elicitationId: z.string().optional().describe('By which its end is announced'),
        errorPath: z.boolean().default(false).describe('Whether to demand another page first'),
      }),
      annotations: toolHints('adds', { openWorld: true }),
      task: 'never',
      visible: canOpenLinks,
    },
    async ({ errorPath, ...link }, context) => {
      const key = JSON.stringify([link.url, link.elicitationId ?? null])
      const completed = toldIn(sessionOf(context))
      if (errorPath && !completed.has(key)) {
        remember(completed, key)
        throw demandVisit(visitMs, context)
      }
      const outcome = await askToOpen(link, visitMs, context)
      if (errorPath) completed.delete(key) // not before: where questions come in rounds, the call is made again for each
      return outcome
    },
  )
}

const maxExpected = 100

function remember(completed: Set<string>, key: string): void {
  completed.add(key)
  const [oldest] = completed
  if (completed.size > maxExpected && oldest !== undefined) completed.delete(oldest)
}

function canOpenLinks({ client, revision }: RequestContext): boolean {
  return client.capabilities.elicitation?.url !== undefined && revision >= '2025-11-25'
}

async function askToOpen(link: Link, visitMs: number, context: Context): Promise<string[]> {
  const { url, message, elicitationId } = link
  const params = { mode: 'url', url, message, ...(elicitationId && { elicitationId }) } as const
  const answer = await context.elicit(params).catch((error: unknown) => {
    // The address comes from the caller, so what is wrong with it is for the caller to read.
    if (isMcpError(error, 'invalid_definition')) throw new ToolError(error.message)
    return reportRejection(error)
  })
  if (answer.action === 'accept' && answer.elicitationId !== undefined) {
    finish(answer.elicitationId, visitMs, context)
  }
  const id = ('elicitationId' in answer && answer.elicitationId) || elicitationId || 'none'
  return [
    describe(answer.action, id, url),
    `\nRaw result: ${JSON.stringify({ action: answer.action }, null, 2)}`,
  ]
}

function describe(action: 'accept' | 'decline' | 'cancel', id: string, url: string): string {
  switch (action) {
    case 'accept':
      return `✅ The user agreed to open the link. What happens there is not known here.\nElicitation ID: ${id}\nURL: ${url}`
    case 'decline':
      return `❌ The user declined to open the link (Elicitation ID: ${id}).`
    case 'cancel':
      return `⚠️ The user cancelled (Elicitation ID: ${id}).`
  }
}

function demandVisit(visitMs: number, context: Context): RpcError {
  const elicitationId = crypto.randomUUID()
  finish(elicitationId, visitMs, context)
  return new RpcError('url_elicitation_required', 'Another page has to be visited first.', {
    data: { elicitations: [{ mode: 'url', message: why, url: prerequisite, elicitationId }] },
  })
}

/** Nobody waits for this, so it keeps no process alive. */
function finish(elicitationId: string, visitMs: number, context: Context): void {
  void wait(visitMs, undefined, { ref: false }).then(() =>
    context.completeElicitation(elicitationId),
  )
}
