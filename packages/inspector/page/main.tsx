import '@parley/page/styles'
import './shell/servers.css'
import './requests/requests.css'
import { loadRest } from '@parley/page/parts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { App } from './app.tsx'
import { followLists } from './lists.ts'
import { followQuestions } from './requests/arriving.tsx'
import { followSubscriptions } from './resources/subscriptions.ts'
import { followRuns } from './runs.ts'
import { loadTab } from './shell/panels.tsx'
import { loadTrace } from './shell/shell.tsx'
import { followService } from './store.ts'
import { mirrorAddress, useView } from './view.ts'

const { tab, isTraceOpen } = useView.getState()
loadTab(tab)
if (isTraceOpen) loadTrace()
followService()
followLists()
followRuns()
followSubscriptions()
followQuestions()
mirrorAddress()

const root = document.querySelector('#root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}

// First what is shown, then what may be.
addEventListener('load', () => setTimeout(() => void loadRest(), 300))
