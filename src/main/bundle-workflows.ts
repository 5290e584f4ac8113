import { loadWorkflowBundle } from '../worker/workflow-bundle.ts';

/** Makes the workflows' bundle when the image is built, so that its workers need not do so at each start. */
await loadWorkflowBundle();
