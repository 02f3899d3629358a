import { ActionIcon, Button, Popover, TextInput } from '@mantine/core'
import type { TextNode } from '@parley/foundation/forms'
import { useState, type ComponentProps, type ReactElement } from 'react'

import { Icon } from '../../icons.tsx'

export interface MomentFieldProps {
  readonly node: TextNode
  /** What every text field has. */
  readonly input: ComponentProps<typeof TextInput>
  readonly onText: (text: string) => void
}

/** A date with its time: the text that is sent, and a picker that writes it. */
export function MomentField({ node, input, onText }: MomentFieldProps): ReactElement {
  const [isOpen, setIsOpen] = useState(false)
  const picker = (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon
          aria-label={`Pick date and time of ${node.label}`}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon name="clock" size={15} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <div className="stack-tight">
          <TextInput
            type="datetime-local"
            step={1}
            label="Date and time"
            description="In your time zone; sent as UTC"
            value={toLocal(node.value)}
            onChange={(event) => onText(toMoment(event.currentTarget.value))}
          />
          <div className="row">
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => onText(toMoment(new Date().toISOString()))}
            >
              Now
            </Button>
            <Button size="compact-sm" onClick={() => setIsOpen(false)}>
              Done
            </Button>
          </div>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
  return (
    <TextInput
      {...input}
      spellCheck={false}
      rightSection={input.readOnly === true ? undefined : picker}
    />
  )
}

/** As RFC 3339 wants it, in UTC and without parts of a second; empty for what is no date. */
function toMoment(local: string): string {
  const date = new Date(local)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().replace(/\.\d+Z$/, 'Z')
}

/** As an input for local time wants it; empty for what is no date. */
function toLocal(moment: string | undefined): string {
  const date = new Date(moment ?? '')
  if (Number.isNaN(date.getTime())) return ''
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 19)
}
