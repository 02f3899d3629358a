import { Button, Group, Modal, TextInput } from '@mantine/core'
import type { JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'
import { useState, type ReactElement } from 'react'

import { JsonEditor } from '../form/code/json-editor.tsx'
import { jsonOf, textOf } from '../json.ts'
import { Note } from '../parts/problem.tsx'
import { resend } from './replay.ts'
import { useTraceSetting } from './trace-setting.ts'

export interface ResendDialogProps {
  readonly server: string
  readonly message: { readonly [name: string]: unknown }
  /** The record it comes from, where the service has it. */
  readonly seq: number | undefined
  readonly onClose: () => void
}

/** A recorded request to change and send; the id is given anew. */
export function ResendDialog({ server, message, seq, onClose }: ResendDialogProps): ReactElement {
  const { actions = {} } = useTraceSetting()
  const [method, setMethod] = useState(textOf(message['method']) ?? '')
  const [params, setParams] = useState<JsonValue | undefined>(jsonOf(message['params'] ?? {}))
  const [problem, setProblem] = useState<string>()
  const [isSending, setIsSending] = useState(false)
  const send = async () => {
    setIsSending(true)
    const failed = await resend(
      actions,
      server,
      { method, params: isJsonObject(params) ? params : {} },
      seq,
    )
    setIsSending(false)
    setProblem(failed)
    if (failed === undefined) onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Send to ${server}`}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div className="stack">
        <TextInput
          label="Method"
          value={method}
          onChange={(event) => setMethod(event.currentTarget.value)}
          classNames={{ input: 'mono' }}
        />
        <JsonEditor value={params} onChange={setParams} label="Params" />
        {problem !== undefined && (
          <Note tone="bad" title="It failed" isUrgent>
            {problem}
          </Note>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button data-run loading={isSending} disabled={method === ''} onClick={() => void send()}>
            Send
          </Button>
        </Group>
      </div>
    </Modal>
  )
}
