import { mirror } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import {
  cancelImport,
  getDriftReport,
  listDeadEvents,
  listDriftReports,
  mirrorState,
  replayDeadEvent,
  startImport,
  startReconcile,
} from './service.ts'

export const mirrorRoutes = routesOf(mirror, {
  getMirror: ({ ctx }) => mirrorState(ctx),
  startReconcile: ({ ctx, body }) => startReconcile(ctx, body?.kind ?? 'events'),
  startImport: ({ ctx }) => startImport(ctx),
  cancelImport: ({ ctx }) => cancelImport(ctx),
  listDriftReports: ({ ctx }) => listDriftReports(ctx),
  getDriftReport: ({ ctx, params }) => getDriftReport(ctx, params.id),
  listDeadEvents: ({ ctx }) => listDeadEvents(ctx),
  replayDeadEvent: ({ ctx, params }) => replayDeadEvent(ctx, params.id),
})
