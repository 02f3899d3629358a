import { Button, Group, Modal, Select, Textarea, TextInput } from '@mantine/core'
import type { JsonValue } from '@parley/mcp'
import { JsonEditor } from '@parley/page/form'
import { jsonOf, recordOf, textOf } from '@parley/page/json'
import { useState, type ReactElement } from 'react'

import type { Answer, Rule } from '../../src/protocol/index.ts'
import { useStore } from '../store.ts'

export interface RuleFormProps {
  /** Undefined: a new one. */
  readonly rule: Rule | undefined
  readonly onSave: (rule: Rule) => void
  readonly onClose: () => void
}

/** A rule: which questions, and what they are answered. */
export function RuleForm({ rule, onSave, onClose }: RuleFormProps): ReactElement {
  const servers = useStore((store) => store.servers)
  const [kind, setKind] = useState<Rule['kind']>(rule?.kind ?? 'elicitation')
  const [server, setServer] = useState(rule?.server ?? '')
  const [contains, setContains] = useState(rule?.contains ?? '')
  const [action, setAction] = useState<Answer['action']>(rule?.answer.action ?? 'accept')
  const [content, setContent] = useState<JsonValue | undefined>(() => firstContent(rule))
  const [text, setText] = useState(() => firstText(rule))
  const actions: readonly Answer['action'][] =
    kind === 'sampling' ? ['reply', 'model', 'decline', 'cancel'] : ['accept', 'decline', 'cancel']
  const chosen = actions.includes(action) ? action : (actions[0] ?? 'decline')

  function readAnswer(): Answer {
    switch (chosen) {
      case 'accept':
        return { action: 'accept', content }
      case 'reply':
        return {
          action: 'reply',
          result: {
            role: 'assistant',
            content: { type: 'text', text },
            model: 'by-rule',
            stopReason: 'endTurn',
          },
        }
      case 'model':
      case 'decline':
      case 'cancel':
        return { action: chosen }
    }
  }

  return (
    <Modal opened onClose={onClose} title={rule ? 'Change the rule' : 'Add a rule'} size="lg">
      <div className="stack">
        <Select
          label="For"
          value={kind}
          onChange={(value) => setKind(value ?? kind)}
          data={[
            { value: 'elicitation', label: 'Requested input' },
            { value: 'sampling', label: 'Sampling' },
            { value: 'roots', label: 'Roots' },
          ]}
          allowDeselect={false}
          data-autofocus
        />
        <Select
          label="Server"
          value={server}
          onChange={(value) => setServer(value ?? '')}
          data={[
            { value: '', label: 'Any' },
            ...servers.map(({ name }) => ({ value: name, label: name })),
          ]}
          allowDeselect={false}
        />
        <TextInput
          label="Only when the message contains"
          value={contains}
          onChange={(event) => setContains(event.currentTarget.value)}
        />
        <Select
          label="Answer"
          value={chosen}
          onChange={(value) => setAction(value ?? chosen)}
          data={[...actions]}
          allowDeselect={false}
        />
        {chosen === 'accept' && (
          <JsonEditor value={content} onChange={setContent} label="What is answered" />
        )}
        {chosen === 'reply' && (
          <Textarea
            label="What the model says"
            description="May contain {{message}}, {{server}}, {{name}} and {{prompt}}"
            autosize
            minRows={3}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            onClick={() =>
              onSave({
                id: rule?.id ?? crypto.randomUUID().slice(0, 8),
                kind,
                ...(server !== '' && { server }),
                ...(contains !== '' && { contains }),
                answer: readAnswer(),
                enabled: rule?.enabled ?? true,
              })
            }
          >
            Save
          </Button>
        </Group>
      </div>
    </Modal>
  )
}

function firstContent(rule: Rule | undefined): JsonValue {
  return rule?.answer.action === 'accept' ? jsonOf(rule.answer.content) : {}
}

function firstText(rule: Rule | undefined): string {
  if (rule?.answer.action !== 'reply') return '{{prompt}}'
  return textOf(recordOf(rule.answer.result['content'])['text']) ?? ''
}
