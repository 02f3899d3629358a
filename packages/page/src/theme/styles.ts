/** `import '@parley/page/styles'` first in a page: what all components are styled by. */

import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import '@mantine/spotlight/styles.layer.css'
import './styles.css'
import '../shell/shell.css'
