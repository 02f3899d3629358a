import '@parley/page/styles'
import './registry.css'
import { mountPage } from '@parley/page/theme'

import { followAddress } from './address.ts'
import { App } from './app.tsx'
import { loadSettings } from './settings.ts'

followAddress()
void loadSettings()

mountPage({ name: 'registry', title: 'Parley Registry' }, <App />)
