import { JsonTree } from '@parley/page/form'
import { Note } from '@parley/page/parts'
import type { ReactElement } from 'react'

import type { RunError } from '../../src/protocol/index.ts'

/** An error with its code by name and number, its words, and what came with it. */
export function RunErrorView({ error }: { readonly error: RunError }): ReactElement {
  const { code, wireCode, message, data, hint } = error
  return (
    <>
      <Note
        tone={code === 'cancelled' ? 'warning' : 'bad'}
        title={
          <>
            <code className="code-inline">{code}</code>
            {wireCode !== undefined && <code className="code-inline">{wireCode}</code>}
          </>
        }
      >
        <div className="wrap">{message}</div>
        {hint !== undefined && <div className="hint wrap">{hint}</div>}
      </Note>
      {data !== undefined && <JsonTree value={data} label="Data of the error" />}
    </>
  )
}
