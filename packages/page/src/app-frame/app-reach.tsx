import type { AppPage } from '@parley/mcp/apps'
import type { ReactElement } from 'react'

import { Tag } from '../parts/tag.tsx'

/** What an app may reach, for a person to see before they use it. */
export function AppReach({ app }: { readonly app: AppPage }): ReactElement {
  const { csp, rejected, permissions } = app
  const sends = csp.connectDomains
  const loads = [...csp.resourceDomains, ...csp.frameDomains, ...csp.baseUriDomains]
  const asked = Object.keys(permissions)
  return (
    <div className="app-reach row wrap-row">
      <Tag icon="lock">app of the server</Tag>
      {sends.length === 0 && loads.length === 0 && (
        <span className="quiet">It loads nothing from elsewhere.</span>
      )}
      {sends.length > 0 && (
        <Tag tone="warning" icon="globe" title="It may send data there.">
          talks to {sends.join(', ')}
        </Tag>
      )}
      {loads.length > 0 && (
        <Tag
          tone="warning"
          icon="globe"
          title="It may load scripts, pictures and frames from there."
        >
          loads from {[...new Set(loads)].join(', ')}
        </Tag>
      )}
      {rejected.map(({ list, domain, why }) => (
        <Tag key={`${list} ${domain}`} tone="bad" icon="alert" title={why}>
          not allowed: {domain}
        </Tag>
      ))}
      {asked.length > 0 && (
        <Tag tone="bad" icon="alert" title="This host grants no permissions of the browser.">
          not granted: {asked.join(', ')}
        </Tag>
      )}
    </div>
  )
}
