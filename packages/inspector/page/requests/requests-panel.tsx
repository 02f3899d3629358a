import { SegmentedControl } from '@mantine/core'
import { useState, type ReactElement } from 'react'

import { useStore } from '../store.ts'
import { ModelForm } from './model-form.tsx'
import { QuestionQueue } from './question-queue.tsx'
import { RuleList } from './rule-list.tsx'

import '../tools/tools.css'
import './requests.css'

/** What servers ask of us: the queue, the rules that answer by themselves, and the model. */
export function RequestsPanel(): ReactElement {
  const [part, setPart] = useState<'queue' | 'rules' | 'model'>('queue')
  const open = useStore((store) => store.questions.filter(({ state }) => state === 'open').length)
  const rules = useStore((store) => store.rules.filter(({ enabled }) => enabled).length)
  const model = useStore((store) => store.model)
  return (
    <>
      <div className="column-head">
        <SegmentedControl
          aria-label="Part of the requests"
          value={part}
          onChange={setPart}
          data={[
            { value: 'queue', label: open === 0 ? 'Queue' : `Queue (${open})` },
            { value: 'rules', label: rules === 0 ? 'Rules' : `Rules (${rules})` },
            { value: 'model', label: 'Model' },
          ]}
        />
        <span className="grow" />
        <span className="quiet cut">
          {model
            ? `Model: ${model.model}`
            : 'No model set: sampling is answered by hand or by rule'}
        </span>
      </div>
      {part === 'queue' && <QuestionQueue />}
      {part === 'rules' && <RuleList />}
      {part === 'model' && <ModelForm />}
    </>
  )
}
