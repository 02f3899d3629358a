import { JsonTree } from '@parley/page/form'
import { Icon } from '@parley/page/icons'
import { formatTime } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import type { AuthStep } from '../../src/protocol/index.ts'

const lanes = ['browser', 'client', 'server', 'issuer'] as const
const laneNames = {
  browser: 'Browser',
  client: 'Inspector',
  server: 'Server',
  issuer: 'Issuer',
} as const

/** The exchanges of signing in, in order, between those who took part; each opens. */
export function AuthSequence({ steps }: { readonly steps: readonly AuthStep[] }): ReactElement {
  return (
    <section className="card" aria-label="Exchanges">
      <div className="card-head">
        <h2>Exchanges</h2>
        <span className="count">{steps.length}</span>
      </div>
      {steps.length === 0 ? (
        <div className="card-body quiet">
          Nothing yet. Sign in, and each request and answer is listed here; secrets are masked.
        </div>
      ) : (
        <div className="sequence">
          <div className="sequence-lanes" aria-hidden="true">
            {lanes.map((lane) => (
              <span key={lane}>{laneNames[lane]}</span>
            ))}
          </div>
          <ol className="sequence-steps">
            {steps.map((step, index) => (
              // Steps are only added at the end.
              <Step key={index} step={step} number={index + 1} />
            ))}
          </ol>
        </div>
      )}
    </section>
  )
}

function Step({ step, number }: { readonly step: AuthStep; readonly number: number }) {
  const [isOpen, setIsOpen] = useState(false)
  const from = lanes.indexOf(step.from)
  const to = lanes.indexOf(step.to)
  const first = Math.min(from, to)
  const last = Math.max(from, to)
  return (
    <li>
      <button
        type="button"
        className="sequence-step"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {lanes.map((lane, index) => (
          <span
            key={lane}
            className="lifeline"
            style={{ gridColumn: index * 2 + 1 }}
            aria-hidden="true"
          />
        ))}
        <span
          className="arrow"
          data-back={to < from}
          data-self={to === from}
          data-failed={step.failed === true}
          style={{ gridColumn: `${first * 2 + 2} / ${Math.max(last * 2 + 2, first * 2 + 3)}` }}
          aria-hidden="true"
        />
        <span className="step-title">
          <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={13} />
          <span className="quiet">{number}</span>
          <span className="visually-hidden">
            {laneNames[step.from]} to {laneNames[step.to]}:{' '}
          </span>
          <span className="grow cut">{step.title}</span>
          {step.failed === true && (
            <span className="step-failed">
              <Icon name="alert" size={13} /> failed
            </span>
          )}
          <span className="quiet mono">{formatTime(step.at)}</span>
        </span>
      </button>
      {isOpen && (
        <div className="step-detail">
          {step.request && (
            <div>
              <div className="field-label">Request</div>
              <JsonTree value={step.request} label="Request" />
            </div>
          )}
          {step.response && (
            <div>
              <div className="field-label">Answer</div>
              <JsonTree value={step.response} label="Answer" />
            </div>
          )}
        </div>
      )}
    </li>
  )
}
