import { Popover, UnstyledButton } from '@mantine/core'
import { isJsonObject } from '@parley/mcp/json'
import { Icon } from '@parley/page/icons'
import { jsonOf } from '@parley/page/json'
import { Tag } from '@parley/page/parts'
import type { ReactElement } from 'react'

import { type Finding } from '../../src/lint/finding.ts'
import { lintTool } from '../../src/lint/lint-tool.ts'
import type { ListItem } from '../lists.ts'

const tones = { info: 'info', warning: 'warning', error: 'bad' } as const
const maxShown = 50
const weights = { error: 0, warning: 1, info: 2 }

/** Definitions are looked at once: a list draws its rows again and again. */
const findings = new WeakMap<ListItem, readonly Finding[]>()

/** What is worth a look about a tool, what breaks first. */
function findingsOf(item: ListItem): readonly Finding[] {
  const found = findings.get(item) ?? lint(item)
  findings.set(item, found)
  return found
}

function lint(item: ListItem): readonly Finding[] {
  const definition = jsonOf(item)
  if (!isJsonObject(definition)) return []
  return lintTool(definition).toSorted((a, b) => weights[a.level] - weights[b.level])
}

/** In the list: how many remarks there are that a model or a host may stumble over. */
export function FindingsMark({ item }: { readonly item: ListItem }): ReactElement | null {
  const found = findingsOf(item).filter(({ level }) => level !== 'info')
  const [worst] = found
  if (worst === undefined) return null
  const words = `${found.length} ${found.length === 1 ? 'remark' : 'remarks'}: ${worst.message}`
  return (
    <Tag tone={tones[worst.level]} icon="alert" title={words}>
      {found.length}
      <span className="visually-hidden"> {found.length === 1 ? 'remark' : 'remarks'}</span>
    </Tag>
  )
}

/** Beside the name of the tool: a chip that opens the remarks, each with where it is and what to write instead. */
export function Findings({ item }: { readonly item: ListItem }): ReactElement | null {
  const found = findingsOf(item)
  const [worst] = found
  if (worst === undefined) return null
  return (
    <Popover position="bottom-start" width={420} shadow="md" withinPortal>
      <Popover.Target>
        <UnstyledButton className="findings-chip" data-tone={tones[worst.level]}>
          <Icon name="alert" size={13} /> {found.length} {found.length === 1 ? 'remark' : 'remarks'}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p={0}>
        <div className="findings" tabIndex={0} role="region" aria-label="Remarks">
          <ul className="warnings" aria-label="Remarks on its definition">
            {found.slice(0, maxShown).map(({ level, message, detail, hint, pointer }) => (
              <li key={`${pointer} ${message}`}>
                <Tag tone={tones[level]}>{level}</Tag>
                <div className="grow">
                  {message} {detail !== undefined && <span className="quiet">({detail})</span>}{' '}
                  {pointer !== undefined && <code className="mono quiet wrap">{pointer}</code>}
                  {hint !== undefined && <div className="hint">{hint}</div>}
                </div>
              </li>
            ))}
            {found.length > maxShown && <li>and {found.length - maxShown} more</li>}
          </ul>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
