import { useDebouncedCallback } from '@mantine/hooks'
import { useRef, useState } from 'react'

import { openChannel } from '../channel.ts'
import { listOf, recordOf } from '../json.ts'

/** What is completed: an argument of a prompt, or a gap of a resource template. */
export type CompletionReference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string }

/** One argument to complete. */
export interface Completed {
  readonly server: string
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
  const { server, reference, name, canComplete, others } = completed
  const [found, setFound] = useState<{ values: readonly string[]; hasMore: boolean }>({
    values: [],
    hasMore: false,
  })
  const newest = useRef(0)
  const ask = useDebouncedCallback(async (text: string) => {
    const turn = ++newest.current
    const { result } = await openChannel()
      .ask('runs/start', {
        server,
        run: crypto.randomUUID(),
        method: 'completion/complete',
        params: { ref: reference, argument: { name, value: text }, context: { arguments: others } },
      })
      .catch(() => ({ result: undefined })) // completing is a courtesy; the field works without
    if (turn !== newest.current) return
    const { values, hasMore } = recordOf(result?.['completion'])
    setFound({
      values: [...new Set(listOf(values).filter((one) => typeof one === 'string'))],
      hasMore: hasMore === true,
    })
  }, 180)
  return { ...found, ask: (text) => canComplete && ask(text) }
}
