import type { Tool } from '@parley/mcp'

import type { OfferOptions } from './tool-search.ts'

/** Whether a search is offered, and which tools stay beside it. */
export interface Offer {
  isOffered(tools: readonly Tool[]): boolean
  isPinned(tool: Tool): boolean
}

export function createOffer({ above = 0, pinned = [] }: OfferOptions): Offer {
  const names = new Set(pinned)
  return {
    isOffered: (tools) => tools.length > above,
    isPinned: ({ name }) => names.has(name),
  }
}
