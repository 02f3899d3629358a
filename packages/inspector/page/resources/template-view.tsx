import { Button } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { recordOf, textOf } from '@parley/page/json'
import { CompletionInput, RichText, Tag } from '@parley/page/parts'
import type { ReactElement } from 'react'

import type { ServerView } from '../../src/protocol/index.ts'
import { completeBy } from '../complete.ts'
import { isConnected } from '../lists.ts'
import { useDraft } from '../tools/drafts.ts'
import type { ResourceItem } from './resource-item.ts'
import { ResourceView } from './resource-view.tsx'
import { expandTemplate, variablesOf } from './uri-template.ts'

export interface TemplateViewProps {
  readonly server: ServerView
  readonly item: ResourceItem
}

/** A template: its variables as fields that the server completes, the address they make, and what is there. */
export function TemplateView({ server, item }: TemplateViewProps): ReactElement {
  const [values, setValues, opened, setOpened] = useFilledTemplate(`${server.name} ${item.id}`)
  const names = variablesOf(item.id)
  const address = expandTemplate(item.id, values)
  const canComplete = server.session?.server.capabilities['completions'] !== undefined
  return (
    <>
      <form
        className="template-form"
        onSubmit={(event) => {
          event.preventDefault()
          setOpened(address)
        }}
      >
        <div className="tool-title">
          <h2 className="cut">{item.name}</h2>
          <Tag>template</Tag>
          {item.mimeType !== undefined && <Tag>{item.mimeType}</Tag>}
        </div>
        {item.description !== undefined && (
          <RichText text={item.description} limit={500} className="prose" />
        )}
        <div className="template-fields">
          {names.map((name) => (
            <CompletionInput
              key={name}
              complete={(params) => completeBy(server.name, params)}
              reference={{ type: 'ref/resource', uri: item.id }}
              canComplete={canComplete}
              name={name}
              label={name}
              value={values[name] ?? ''}
              onChange={(value) => setValues({ ...values, [name]: value })}
              others={without(values, name)}
            />
          ))}
        </div>
        <div className="row">
          <output className="grow mono wrap address" aria-label="Address">
            {address}
          </output>
          <Button
            type="submit"
            data-run
            disabled={!isConnected(server)}
            leftSection={<Icon name="eye" size={14} />}
          >
            Read
          </Button>
        </div>
      </form>
      {opened !== undefined && <ResourceView key={opened} server={server} uri={opened} />}
    </>
  )
}

/** What was filled in and read, per template; switching away and back loses nothing. */
function useFilledTemplate(draftKey: string) {
  const [draft, setDraft] = useDraft(`template ${draftKey}`, () => ({}))
  const [address, setAddress] = useDraft(`template address ${draftKey}`, () => null)
  const values = Object.fromEntries(
    Object.entries(recordOf(draft)).map(([name, value]) => [name, textOf(value) ?? '']),
  )
  return [values, setDraft, textOf(address), setAddress] as const
}

function without(
  values: { readonly [name: string]: string },
  name: string,
): { readonly [name: string]: string } {
  const { [name]: _, ...others } = values
  return others
}
