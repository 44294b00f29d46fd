import { AuditPage } from '../../features/audit/AuditPage.tsx'
import { auditList } from '../../features/audit/audit-list.ts'
import type { PageModule } from '../page.tsx'

export const auditPage: PageModule = { Page: AuditPage, queriesFor: auditList.queriesFor }
