import { QueuePage } from '../../features/queues/QueuePage.tsx'
import { queueQueries } from '../../features/queues/queue-search.ts'
import type { PageModule } from '../page.tsx'

export const queuePage: PageModule = { Page: QueuePage, queriesFor: queueQueries }
