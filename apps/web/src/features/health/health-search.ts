import * as health from '@agency/contract/descriptors/health'
import * as mirror from '@agency/contract/descriptors/mirror'
import { q } from '../../lib/api.ts'
import { text } from '../../lib/search-state.ts'

/** The drift run that is open. */
export const healthSearch = { run: text('', { keepsPage: true }) }

export const healthQuery = q(health.getHealth, {})

/** What the screen asks first. */
export const healthQueries = () => [
  healthQuery,
  q(mirror.getMirror, {}),
  q(mirror.listDriftReports, {}),
  q(mirror.listDeadEvents, {}),
]
