import { Button, NativeSelect, TextInput } from '@mantine/core'
import type { JsonObject, JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'
import type { Problem } from '@parley/page/channel'
import { JsonEditor } from '@parley/page/form'
import { CodeBlock } from '@parley/page/markdown'
import { DataTable, Empty, Note, ProblemNote, problemOf, Tag } from '@parley/page/parts'
import { useState, type FormEvent, type ReactElement } from 'react'

import type { PolicyQuery, Methods } from '../../src/page-service/protocol.ts'
import { openChannel } from '../channel.ts'
import { PlainText } from '../parts/plain-text.tsx'
import { useStore } from '../store.ts'

const firstPolicy = `policy:
  - mcp.tool.annotations.readOnlyHint
  - name: no force pushes
    when: mcp.tool.name == "git_push" && args.?force.orValue(false)
    decision: deny
`

type Explained = Methods['policy/explain']['result']

/** Who, what, with which arguments: and what every rule says about it. Nothing is called. */
export function PolicyView(): ReactElement {
  const hasPolicy = useStore((store) => store.state?.has.policy ?? false)
  const servers = useStore((store) => store.overview?.servers ?? [])
  const [upstream, setUpstream] = useState(servers[0]?.name ?? '')
  const [kind, setKind] = useState<PolicyQuery['kind']>('tool')
  const [name, setName] = useState('')
  const [caller, setCaller] = useState('')
  const [scopes, setScopes] = useState('')
  const [claims, setClaims] = useState<JsonValue | undefined>({})
  const [args, setArgs] = useState<JsonValue | undefined>({})
  const [explained, setExplained] = useState<Explained>()
  const [problem, setProblem] = useState<Problem>()

  if (!hasPolicy) {
    return (
      <Empty
        icon="shield"
        title="No policy. Every caller can use every tool."
        action={<CodeBlock text={firstPolicy} language="yaml" />}
      >
        Add one to the file of the gateway:
      </Empty>
    )
  }

  const test = async (event: FormEvent) => {
    event.preventDefault()
    try {
      const asked = await openChannel().ask('policy/explain', {
        upstream,
        kind,
        name,
        arguments: objectOf(args),
        claims: objectOf(claims),
        scopes: scopes.split(/[\s,]+/).filter((scope) => scope !== ''),
        ...(caller !== '' && { caller }),
      })
      setExplained(asked)
      setProblem(undefined)
    } catch (error) {
      setProblem(problemOf(error))
    }
  }

  return (
    <div className="view">
      <form
        className="card pad stack"
        aria-label="Policy tester"
        onSubmit={(event) => void test(event)}
      >
        <h2>What would the policy say?</h2>
        <div className="form-row">
          <NativeSelect
            label="Server"
            value={upstream}
            data={servers.map((server) => server.name)}
            onChange={(event) => setUpstream(event.currentTarget.value)}
          />
          <NativeSelect
            label="Kind"
            value={kind}
            data={[
              { value: 'tool', label: 'Call of a tool' },
              { value: 'prompt', label: 'Prompt' },
              { value: 'resource', label: 'Resource' },
            ]}
            onChange={(event) => setKind(event.currentTarget.value as PolicyQuery['kind'])} // one of the list
          />
          <TextInput
            label={kind === 'resource' ? 'URI' : 'Name'}
            required
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </div>
        <div className="form-row">
          <TextInput
            label="Who asks"
            placeholder="anonymous"
            value={caller}
            onChange={(event) => setCaller(event.currentTarget.value)}
          />
          <TextInput
            label="Scopes"
            placeholder="tools:read tools:write"
            value={scopes}
            onChange={(event) => setScopes(event.currentTarget.value)}
          />
        </div>
        <div className="form-row">
          <div>
            <div className="field-label">Claims</div>
            <JsonEditor label="Claims" value={claims} onChange={setClaims} isSmall />
          </div>
          <div>
            <div className="field-label">Arguments</div>
            <JsonEditor label="Arguments" value={args} onChange={setArgs} isSmall />
          </div>
        </div>
        <div>
          <Button type="submit" data-run>
            Test
          </Button>
        </div>
      </form>
      {problem && <ProblemNote problem={problem} title="The policy cannot be asked" />}
      {explained && <Explanation {...explained} />}
    </div>
  )
}

function Explanation({ call, list, isListed, rules }: Explained): ReactElement {
  return (
    <section className="card" aria-label="Decision" aria-live="polite">
      <div className="card-head">
        <h2>{call.decision === 'allow' ? 'Allowed' : 'Refused'}</h2>
        <Tag tone={call.decision === 'allow' ? 'good' : 'bad'}>{call.rule}</Tag>
        <Tag>{list.decision === 'allow' ? 'shown in lists' : 'hidden from lists'}</Tag>
      </div>
      <p className="pad wrap">
        <PlainText text={call.message} />
      </p>
      {!isListed && (
        <Note tone="info">
          No server lists this now, so rules see its name and nothing of its definition.
        </Note>
      )}
      <DataTable label="Rules" columns={['Rule', 'Decides to', 'Was', 'In lists', 'When']}>
        {rules.map(({ rule, decision, when }) => {
          const { result = 'not asked', error } =
            call.trace.find((step) => step.rule === rule) ?? {}
          const listed = list.trace.find((step) => step.rule === rule)
          return (
            <tr key={rule}>
              <th scope="row">{rule}</th>
              <td>{decision}</td>
              <td>
                <Tag tone={result === 'true' ? (decision === 'allow' ? 'good' : 'bad') : 'plain'}>
                  {result}
                </Tag>
                {error !== undefined && (
                  <div className="state-reason wrap">
                    <PlainText text={error} />
                  </div>
                )}
              </td>
              <td>{listed?.result ?? 'not asked'}</td>
              <td className="mono wrap">{when}</td>
            </tr>
          )
        })}
      </DataTable>
    </section>
  )
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}
