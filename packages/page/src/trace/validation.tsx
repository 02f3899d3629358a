import { issuesOf } from '@parley/foundation/forms'
import type { TraceRecord } from '@parley/foundation/trace'
import { useMemo, type ReactElement } from 'react'

import { Icon } from '../icons.tsx'
import { jsonOf, recordOf, textOf } from '../json.ts'
import type { Row } from './rows/rows.ts'
import { useTraceSetting } from './trace-setting.ts'

export interface ValidationProps {
  readonly row: Row
  readonly request: TraceRecord | null | undefined
  readonly answer: TraceRecord | null | undefined
}

interface Check {
  readonly what: string
  readonly issues: readonly string[]
}

/** Checks what was sent and answered by the schemas the server gave for its tools. */
export function Validation({ row, request, answer }: ValidationProps): ReactElement {
  const { schemasOf } = useTraceSetting()
  const checks = useMemo(() => {
    const params = recordOf(recordOf(request?.message)['params'])
    const result = recordOf(recordOf(answer?.message)['result'])
    const tool =
      row.entry.label === 'tools/call'
        ? schemasOf?.(row.entry.server, textOf(params['name']) ?? '')
        : undefined
    const found: Check[] = [checkEnvelope('the request', request)]
    if (answer) found.push(checkEnvelope('the answer', answer))
    if (tool?.inputSchema !== undefined) {
      found.push(
        check('arguments by the input schema', tool.inputSchema, params['arguments'] ?? {}),
      )
    }
    if (tool?.outputSchema !== undefined && answer && result['isError'] !== true) {
      found.push(
        check('content by the output schema', tool.outputSchema, result['structuredContent']),
      )
    }
    return found
  }, [row, request, answer, schemasOf])
  return (
    <ul className="trace-checks">
      {checks.map(({ what, issues }) => (
        <li key={what} data-tone={issues.length === 0 ? 'good' : 'bad'}>
          <Icon name={issues.length === 0 ? 'check' : 'alert'} size={14} />
          <div>
            {what}: {issues.length === 0 ? 'as it should be' : ''}
            {issues.map((issue) => (
              <div key={issue} className="mono wrap">
                {issue}
              </div>
            ))}
          </div>
        </li>
      ))}
    </ul>
  )
}

function check(what: string, schema: unknown, value: unknown): Check {
  const { issues, problem } = issuesOf(schema, value === undefined ? undefined : jsonOf(value))
  if (problem !== undefined) return { what, issues: [`the schema cannot be checked: ${problem}`] }
  return { what, issues: issues.map(({ pointer, message }) => `${pointer || '(all)'} ${message}`) }
}

function checkEnvelope(what: string, record: TraceRecord | null | undefined): Check {
  if (record?.message === undefined) return { what, issues: [] }
  const message = recordOf(record.message)
  const issues: string[] = []
  if (message['jsonrpc'] !== '2.0') issues.push('/jsonrpc must be "2.0"')
  if ('result' in message && 'error' in message) issues.push('has both a result and an error')
  const error = recordOf(message['error'])
  if ('error' in message && !Number.isInteger(error['code'])) {
    issues.push('/error/code must be a whole number')
  }
  if ('error' in message && textOf(error['message']) === undefined) {
    issues.push('/error/message must be a string')
  }
  return { what, issues }
}
