import { BackupPage } from '../../features/backups/BackupPage.tsx'
import { backupQueries } from '../../features/backups/backup-search.ts'
import type { PageModule } from '../page.tsx'

export const backupPage: PageModule = { Page: BackupPage, queriesFor: backupQueries }
