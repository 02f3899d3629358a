import { useDebouncedCallback } from '@mantine/hooks'
import { useRef, useState } from 'react'

import { listOf, recordOf } from '../json.ts'

/** What is completed: an argument of a prompt, or a gap of a resource template. */
export type CompletionReference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string }

/** The params of `completion/complete`. */
export interface CompletionParams {
  readonly ref: CompletionReference
  readonly argument: { readonly name: string; readonly value: string }
  readonly context: { readonly arguments: { readonly [name: string]: string } }
}

/** One argument to complete. */
export interface Completed {
  /** Asks the server; the result as it came. Completing is a courtesy: what it throws is nothing found. */
  readonly complete: (params: CompletionParams) => Promise<unknown>
  readonly reference: CompletionReference
  readonly name: string
  /** Whether the server declared that it completes. */
  readonly canComplete: boolean
  /** The other arguments, which a server may look at. */
  readonly others: { readonly [name: string]: string }
}

/** The values a server proposes, and how to ask for those that go with a text. */
export interface Completion {
  readonly values: readonly string[]
  readonly hasMore: boolean
  readonly ask: (text: string) => void
}

/** Asks a server for values while the user types. */
export function useCompletion(completed: Completed): Completion {
  const { complete, reference, name, canComplete, others } = completed
  const [found, setFound] = useState<{ values: readonly string[]; hasMore: boolean }>({
    values: [],
    hasMore: false,
  })
  const newest = useRef(0)
  const ask = useDebouncedCallback(async (text: string) => {
    const turn = ++newest.current
    const result = await complete({
      ref: reference,
      argument: { name, value: text },
      context: { arguments: others },
    }).catch(() => undefined) // the field works without
    if (turn !== newest.current) return
    const { values, hasMore } = recordOf(recordOf(result)['completion'])
    setFound({
      values: [...new Set(listOf(values).filter((candidate) => typeof candidate === 'string'))],
      hasMore: hasMore === true,
    })
  }, 180)
  return { ...found, ask: (text) => canComplete && ask(text) }
}
