import { backups } from '@agency/contract'
import { type MountedRoute, routesOf } from '../../platform/http/routes.ts'
import { createBackup, createMoment } from './service/create-backup.ts'
import { cancelBackup, deleteBackup } from './service/end-backup.ts'
import { getPlan, savePlan } from './service/plan.ts'
import { printKit } from './service/recovery-kit.ts'
import { cancelRestore, getRestore, listRestores, restoreBackup, returnRestore } from './service/restore.ts'
import { getBackup, getDetails, listBackups } from './service/shown.ts'
import { startDrill } from './service/start-drill.ts'

export { backupNow, type CommandContext, commandContext, keyKnownHere, restoreFile } from './command.ts'
export { drillRun } from './drill-run.ts'
export { keyOfText } from './keys.ts'
export { makeRun } from './make-run.ts'
export { restoreRun } from './restore-run.ts'

export const backupRoutes: MountedRoute[] = routesOf(backups, {
  listBackups: ({ ctx, query }) => listBackups(ctx, query),
  getBackup: async ({ ctx, params }) => ({ backup: await getDetails(ctx, params.id) }),
  createBackup: {
    handle: async ({ ctx, body, claim }) => ({ backup: await createBackup(ctx, body, claim) }),
    replay: async ({ ctx, subject }) => ({ backup: await getBackup(ctx, subject) }),
  },
  createMoment: {
    handle: async ({ ctx, params, body, claim }) => ({ backup: await createMoment(ctx, params.id, body, claim) }),
    replay: async ({ ctx, subject }) => ({ backup: await getBackup(ctx, subject) }),
  },
  cancelBackup: async ({ ctx, params }) => ({ backup: await cancelBackup(ctx, params.id) }),
  deleteBackup: ({ ctx, params }) => deleteBackup(ctx, params.id),
  getBackupPlan: ({ ctx }) => getPlan(ctx),
  saveBackupPlan: async ({ ctx, body }) => ({ plan: await savePlan(ctx, body) }),
  printRecoveryKit: ({ ctx, body }) => printKit(ctx, body),
  startDrill: async ({ ctx }) => ({ drill: await startDrill(ctx) }),
  listRestores: ({ ctx }) => listRestores(ctx),
  restoreBackup: {
    handle: async ({ ctx, params, body, claim }) => ({ restore: await restoreBackup(ctx, params.id, body, claim) }),
    replay: async ({ ctx, subject }) => ({ restore: await getRestore(ctx, subject) }),
  },
  cancelRestore: async ({ ctx, params }) => ({ restore: await cancelRestore(ctx, params.id) }),
  returnRestore: {
    handle: async ({ ctx, params, body, claim }) => ({
      restore: await returnRestore(ctx, params.id, body.identity_proof, claim),
    }),
    replay: async ({ ctx, subject }) => ({ restore: await getRestore(ctx, subject) }),
  },
})
