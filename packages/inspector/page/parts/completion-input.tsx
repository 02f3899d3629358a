import { Autocomplete } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useRef, useState, type ReactElement } from 'react'

import { openChannel } from '../channel.ts'
import { listOf, recordOf } from '../json.ts'

/** What is completed: an argument of a prompt, or a gap of a resource template. */
export type CompletionReference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string }

export interface CompletionInputProps {
  readonly server: string
  readonly reference: CompletionReference
  /** Whether the server declared that it completes. */
  readonly canComplete: boolean
  readonly name: string
  readonly label: string
  readonly description?: string | undefined
  readonly required?: boolean | undefined
  readonly value: string
  readonly onChange: (value: string) => void
  /** The other arguments, which a server may look at. */
  readonly others: { readonly [name: string]: string }
}

/** A text field that asks the server for values while the user types. */
export function CompletionInput(props: CompletionInputProps): ReactElement {
  const { server, reference, canComplete, name, label, description, required, value, others } =
    props
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
  return (
    <Autocomplete
      label={label}
      description={description}
      required={required ?? false}
      value={value}
      data={found.values}
      filter={({ options }) => options}
      onChange={(text) => {
        props.onChange(text)
        if (canComplete) ask(text)
      }}
      onFocus={() => {
        if (canComplete) ask(value)
      }}
      rightSection={
        found.hasMore ? (
          <span className="quiet" title="There are more; type to narrow">
            …
          </span>
        ) : undefined
      }
      maxDropdownHeight={220}
    />
  )
}
