import '@parley/page/styles'
import './shell/servers.css'
import './requests/requests.css'
import { mountPage } from '@parley/page/theme'

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

mountPage(
  {
    name: 'inspector',
    title: 'Parley Inspector',
    newLink: (
      <>
        Press <kbd className="keys">l</kbd> in the terminal of the inspector for a new link.
      </>
    ),
  },
  <App />,
)
