import { ActionIcon, Menu } from '@mantine/core'
import { readForm, type FormNode } from '@parley/foundation/forms'
import type { ReactElement } from 'react'

import { Icon } from '../icons.tsx'
import { showProblem } from '../parts/problem.tsx'
import { pickFile, readAs } from './fields/pick-file.ts'
import { useForm } from './form-context.ts'

export interface StateMenuProps {
  readonly node: FormNode
  readonly isJson: boolean
  readonly canBeJson: boolean
  readonly onJson: () => void
}

/** Absent, null, empty or a value: every field can be any of them. */
export function StateMenu({ node, isJson, canBeJson, onJson }: StateMenuProps): ReactElement {
  const { change } = useForm()
  const isItem = typeof node.path.at(-1) === 'number'
  const defaultValue = node.default

  async function fillFromFile() {
    try {
      const file = await pickFile()
      if (file) change(node.path, { kind: 'set', value: await readAs(file, 'text') })
    } catch (error) {
      showProblem(error, 'The file could not be read')
    }
  }

  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon size={20} aria-label={`Ways to set ${node.label}`}>
          <Icon name="dots" size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {node.presence !== 'absent' && !isItem && (
          <Menu.Item onClick={() => change(node.path, { kind: 'remove' })}>Leave out</Menu.Item>
        )}
        {node.presence !== 'null' && (
          <Menu.Item onClick={() => change(node.path, { kind: 'set', value: null })}>
            Set to null{node.nullable ? '' : ' (not allowed)'}
          </Menu.Item>
        )}
        {node.kind === 'text' && node.value !== '' && (
          <Menu.Item onClick={() => change(node.path, { kind: 'set', value: '' })}>
            Set to empty text
          </Menu.Item>
        )}
        {node.kind === 'text' && node.file === undefined && (
          <Menu.Item onClick={() => void fillFromFile()}>Fill from a file…</Menu.Item>
        )}
        {defaultValue !== undefined && (
          <Menu.Item onClick={() => change(node.path, { kind: 'set', value: defaultValue })}>
            Use the default
          </Menu.Item>
        )}
        {node.examples.slice(0, 5).map((example) => (
          <Menu.Item
            key={JSON.stringify(example)}
            onClick={() => change(node.path, { kind: 'set', value: example })}
          >
            <span className="cut mono example-text">{JSON.stringify(example)}</span>
          </Menu.Item>
        ))}
        {canBeJson && (
          <Menu.Item onClick={onJson}>{isJson ? 'Edit as a field' : 'Edit as JSON'}</Menu.Item>
        )}
        {node.kind === 'json' && node.reason === 'mismatch' && (
          <Menu.Item onClick={() => change(node.path, { kind: 'set', value: node.start() })}>
            Start again with the required type
          </Menu.Item>
        )}
        <Menu.Item
          onClick={() => void navigator.clipboard?.writeText(JSON.stringify(readForm(node)) ?? '')}
        >
          Copy as JSON
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
