export {
  notifyDeadEvent,
  notifyDisputeOpened,
  notifyDrift,
  notifyFall,
  notifyImportFailed,
  notifyImportFinished,
  notifyLockOut,
  notifyOtherMode,
  notifyPaymentFailed,
  notifyRefundFailed,
  notifyUnreadable,
} from './causes.ts'
export { notificationJobs } from './jobs.ts'
export { type NewNotification, notify } from './notify.ts'
export { forgetLinked } from './queries.ts'
export { notificationRoutes } from './routes.ts'
