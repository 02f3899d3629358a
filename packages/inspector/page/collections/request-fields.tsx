import { Autocomplete, Button, Select, TextInput } from '@mantine/core'
import { isJsonObject } from '@parley/mcp/json'
import { JsonEditor, SchemaForm } from '@parley/page/form'
import { Icon } from '@parley/page/icons'
import { jsonOf, recordOf, textOf } from '@parley/page/json'
import type { ReactElement } from 'react'

import type { SavedRequest } from '../../src/protocol/index.ts'
import { useList } from '../lists.ts'
import { useStore } from '../store.ts'
import { AssertionFields } from './assertion-fields.tsx'

const methods = [
  'tools/call',
  'tools/list',
  'resources/read',
  'resources/list',
  'prompts/get',
  'prompts/list',
  'completion/complete',
  'ping',
]

export interface RequestFieldsProps {
  readonly request: SavedRequest
  readonly onChange: (request: SavedRequest) => void
}

/** A saved request: where it goes, what it says, and what its answer must be. */
export function RequestFields({ request, onChange }: RequestFieldsProps): ReactElement {
  const servers = useStore((store) => store.servers)
  const set = (change: Partial<SavedRequest>) => onChange({ ...request, ...change })
  const checks = request.assertions
  return (
    <div className="stack">
      <TextInput
        label="Title"
        value={request.title}
        onChange={(event) => set({ title: event.currentTarget.value })}
      />
      <div className="request-where">
        <Select
          label="Server"
          value={request.server}
          data={[...new Set([...servers.map(({ name }) => name), request.server])]}
          allowDeselect={false}
          onChange={(server) => server !== null && set({ server })}
        />
        <Autocomplete
          label="Method"
          value={request.method}
          data={methods}
          onChange={(method) => set({ method })}
        />
      </div>
      {request.method === 'tools/call' ? (
        <ToolParams request={request} onParams={(params) => set({ params })} />
      ) : (
        <div>
          <div className="field-name">Params</div>
          <JsonEditor
            label="Params"
            value={jsonOf(request.params)}
            onChange={(params) => set({ params: isJsonObject(params) ? params : {} })}
          />
        </div>
      )}
      <section aria-label="Checks">
        <div className="field-head">
          <span className="field-name">What the answer must be</span>
        </div>
        <ul className="assertions">
          {checks.map((assertion, index) => (
            <AssertionFields
              key={index}
              assertion={assertion}
              onChange={(next) => set({ assertions: checks.with(index, next) })}
              onRemove={() => set({ assertions: checks.toSpliced(index, 1) })}
            />
          ))}
        </ul>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<Icon name="plus" size={12} />}
          onClick={() =>
            set({ assertions: [...checks, { kind: 'equals', pointer: '', value: null }] })
          }
        >
          Add a check
        </Button>
      </section>
    </div>
  )
}

function ToolParams(props: {
  readonly request: SavedRequest
  readonly onParams: (params: SavedRequest['params']) => void
}): ReactElement {
  const { request, onParams } = props
  const server = useStore((store) => store.servers.find(({ name }) => name === request.server))
  const { items } = useList(server, 'tools')
  const name = textOf(request.params['name']) ?? ''
  const tool = items.find((item) => item['name'] === name)
  return (
    <>
      <Autocomplete
        label="Tool"
        value={name}
        data={[...new Set(items.map((item) => textOf(item['name']) ?? ''))]}
        onChange={(next) => onParams({ ...request.params, name: next })}
      />
      <SchemaForm
        key={name}
        schema={tool?.['inputSchema'] ?? true}
        value={jsonOf(recordOf(request.params['arguments']))}
        onChange={(value) => onParams({ ...request.params, arguments: value ?? {} })}
        label="Arguments"
      />
    </>
  )
}
