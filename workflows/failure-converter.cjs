// Message and stack of a failure as a payload, which a codec can encrypt. CommonJS, because the SDK loads it by `require`.
const { DefaultFailureConverter } = require('@temporalio/common');

exports.failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
