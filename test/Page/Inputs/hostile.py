"""A service with names that are markup, quotes, or 10 kB long."""

import json

names = ["</script><script>throw 1</script>", '"><img src=x onerror="throw 1">', "<!-- ' & \\ `${1}`", "n" * 10000]
print(
    """tosca_definitions_version: tosca_2_0
interface_types:
  Life:
    metadata: { intent.deploy: up }
    attributes:
      state: { type: string, default: down, validation: { $valid_values: [ $value, [ down, up ] ] } }
      desired_state: { type: string, default: down, validation: { $valid_values: [ $value, [ down, up ] ] } }
    operations:
      rise:
        precondition: { $equal: [ { $get_state: [ state ] }, down ] }
        on_success: { set: { state: up } }
    triggers:
    - { condition: { $equal: [ { $get_state: [ desired_state ] }, up ] }, event: rise }
node_types:
  Thing:
    properties: { note: { type: string } }
    interfaces: { life: { type: Life } }
service_template:
  node_templates:"""
)
for name in names:
    print(f"    ? {json.dumps(name)}\n    : {{ type: Thing, properties: {{ note: {json.dumps(name)} }} }}")
