import { CompletionInput, type CompletionReference } from '@parley/page/parts'
import type { ReactElement } from 'react'

import { channel } from '../channel.ts'
import { useStore } from '../store.ts'

/** A text field that asks a server for values while somebody types. */
export function CompletedField(props: {
  readonly server: string
  readonly reference: CompletionReference
  readonly name: string
  readonly label: string
  readonly description?: string | undefined
  readonly required?: boolean | undefined
  readonly values: { readonly [name: string]: string }
  readonly onChange: (value: string) => void
}): ReactElement {
  const { server, reference, name, values, ...shown } = props
  const canComplete = useStore(
    (store) => store.servers.find((candidate) => candidate.name === server)?.canComplete === true,
  )
  const { [name]: value = '', ...others } = values
  return (
    <CompletionInput
      {...shown}
      name={name}
      reference={reference}
      canComplete={canComplete}
      others={others}
      value={value}
      complete={async ({ argument }) => ({
        completion: await channel.ask('complete', {
          server,
          reference,
          name,
          value: argument.value,
          others,
        }),
      })}
    />
  )
}
