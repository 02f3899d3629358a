import { appLinkOf } from '@parley/mcp/apps'
import { recordOf, textOf } from '@parley/page/json'
import type { Tone } from '@parley/page/parts'

import type { ListItem } from '../lists.ts'

/** A claim of a server about a tool; whether it holds, nobody knows. */
export interface Claim {
  readonly word: string
  readonly tone: Tone
  readonly says: string
}

/** A tool as the panel needs it, from what the server listed. */
export interface ToolItem {
  readonly name: string
  readonly title: string | undefined
  readonly description: string | undefined
  /** As the server listed it. */
  readonly item: ListItem
  /** As the server sent them. */
  readonly icons: unknown
  readonly inputSchema: unknown
  readonly outputSchema: unknown
  readonly claims: readonly Claim[]
  /** `forbidden` where the server says nothing. */
  readonly taskSupport: 'required' | 'optional' | 'forbidden'
  /** The page that shows its results. */
  readonly appUri: string | undefined
}

/** Reads a tool of a list; what is missing stays missing. */
export function readTool(item: ListItem): ToolItem {
  const annotations = recordOf(item['annotations'])
  const taskSupport = textOf(recordOf(item['execution'])['taskSupport'])
  return {
    name: textOf(item['name']) ?? '(no name)',
    title: textOf(item['title']) ?? textOf(annotations['title']),
    description: textOf(item['description']),
    item,
    icons: item['icons'],
    inputSchema: item['inputSchema'] ?? { type: 'object' },
    outputSchema: item['outputSchema'],
    claims: readClaims(annotations),
    taskSupport:
      taskSupport === 'required' || taskSupport === 'optional' ? taskSupport : 'forbidden',
    appUri: appLinkOf({ _meta: recordOf(item['_meta']) })?.resourceUri,
  }
}

function readClaims(annotations: { readonly [name: string]: unknown }): readonly Claim[] {
  const claims: Claim[] = []
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations
  if (readOnlyHint === true) {
    claims.push({
      word: 'read-only',
      tone: 'good',
      says: 'The server says that it changes nothing.',
    })
  }
  if (destructiveHint === true) {
    claims.push({
      word: 'destructive',
      tone: 'bad',
      says: 'The server says that it may delete or overwrite data.',
    })
  }
  if (idempotentHint === true) {
    claims.push({
      word: 'idempotent',
      tone: 'plain',
      says: 'The server says that calling it twice has the same effect as once.',
    })
  }
  if (openWorldHint === true) {
    claims.push({
      word: 'open world',
      tone: 'warning',
      says: 'The server says that it reaches other systems.',
    })
  }
  return claims
}
