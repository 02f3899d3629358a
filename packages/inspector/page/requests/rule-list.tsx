import { ActionIcon, Button, Switch } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { DataTable, Empty, showProblem } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import type { Rule } from '../../src/protocol/index.ts'
import { openChannel } from '../channel.ts'
import { useStore } from '../store.ts'
import { RuleForm } from './rule-form.tsx'

/** Rules that answer without a person; the first that fits wins. */
export function RuleList(): ReactElement {
  const rules = useStore((store) => store.rules)
  const [edited, setEdited] = useState<Rule | 'new'>()

  async function save(next: readonly Rule[]) {
    try {
      useStore.setState({ rules: await openChannel().ask('rules/save', { rules: next }) })
      setEdited(undefined)
    } catch (error) {
      showProblem(error, 'The rules were not saved')
    }
  }

  function move(index: number, step: number) {
    const next = [...rules]
    const [rule] = next.splice(index, 1)
    if (rule) next.splice(index + step, 0, rule)
    void save(next)
  }

  const add = (
    <Button leftSection={<Icon name="plus" size={14} />} onClick={() => setEdited('new')}>
      Add rule
    </Button>
  )
  return (
    <div className="panel-scroll">
      {rules.length === 0 ? (
        <Empty icon="bolt" title="No rules" action={add}>
          A rule answers automatically: with fixed input, a scripted model reply, or a refusal.
          Useful for tests.
        </Empty>
      ) : (
        <div className="stack">
          <div className="row">
            <p className="grow quiet">The first matching rule answers.</p>
            {add}
          </div>
          <DataTable
            label="Rules"
            columns={['On', 'For', 'Server', 'Contains', 'Answer']}
            hasActions
            className="card"
          >
            {rules.map((rule, index) => (
              <tr key={rule.id}>
                <td>
                  <Switch
                    aria-label={`Rule ${rule.id} is on`}
                    checked={rule.enabled}
                    onChange={() =>
                      void save(
                        rules.map((item) =>
                          item === rule ? { ...item, enabled: !item.enabled } : item,
                        ),
                      )
                    }
                  />
                </td>
                <td>{rule.kind}</td>
                <td>{rule.server ?? 'any'}</td>
                <td className="wrap">{rule.contains ?? 'anything'}</td>
                <td className="mono wrap">{describeAnswer(rule)}</td>
                <td>
                  <div className="row">
                    <ActionIcon
                      aria-label={`Move rule ${rule.id} up`}
                      disabled={index === 0}
                      onClick={() => move(index, -1)}
                    >
                      <Icon name="chevronUp" />
                    </ActionIcon>
                    <ActionIcon
                      aria-label={`Move rule ${rule.id} down`}
                      disabled={index === rules.length - 1}
                      onClick={() => move(index, 1)}
                    >
                      <Icon name="chevronDown" />
                    </ActionIcon>
                    <ActionIcon aria-label={`Edit rule ${rule.id}`} onClick={() => setEdited(rule)}>
                      <Icon name="gear" />
                    </ActionIcon>
                    <ActionIcon
                      aria-label={`Delete rule ${rule.id}`}
                      onClick={() => void save(rules.filter((candidate) => candidate !== rule))}
                    >
                      <Icon name="trash" />
                    </ActionIcon>
                  </div>
                </td>
              </tr>
            ))}
          </DataTable>
        </div>
      )}
      {edited !== undefined && (
        <RuleForm
          rule={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onSave={(rule) =>
            void save(
              edited === 'new'
                ? [...rules, rule]
                : rules.map((item) => (item === edited ? rule : item)),
            )
          }
        />
      )}
    </div>
  )
}

function describeAnswer({ answer }: Rule): string {
  switch (answer.action) {
    case 'accept':
      return `accept ${answer.content === undefined ? '' : JSON.stringify(answer.content)}`
    case 'reply':
      return `reply ${JSON.stringify(answer.result['content'])}`
    case 'model':
      return 'ask the model'
    case 'decline':
    case 'cancel':
      return answer.action
  }
}
