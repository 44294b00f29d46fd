/** Of the durable run that takes a flag from step to step. */
export const rolloutName = 'feature-flags.rollout'
