//===- RubyProgram.cpp - Templates by Ruby itself -------------------------===//

#include "RubyProgram.h"

/// Reads one JSON object a line, with a template and what it may see, and
/// writes one a line, with the text or what is wrong. Before the first
/// template, the process gives up all it could reach: the kernel refuses every
/// call but those that an interpreter needs for itself.
const llvm::StringLiteral toscac::rubyProgram = R"ruby(
%w[erb json yaml ostruct base64 digest zlib stringio ipaddr uri cgi set time
   date shellwords securerandom tempfile openssl digest/md5 digest/sha1
   digest/sha2].each do |name|
  begin
    require name
  rescue LoadError
    next
  end
end
Encoding.default_external = Encoding::UTF_8
Encoding.default_internal = Encoding::UTF_8
STDIN.set_encoding(Encoding::UTF_8)
STDOUT.sync = true

def answer(map)
  STDOUT.write(JSON.generate(map) + "\n")
end

def refuse(reason)
  answer('fatal' => reason)
  exit!(3)
end

def confine
  tables = {
    'x86_64' => [0xC000003E, 157, 317,
                 [0, 1, 3, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 23, 24, 25, 28,
                  35, 39, 60, 96, 97, 102, 104, 107, 108, 131, 186, 201, 202,
                  222, 223, 226, 228, 230, 231, 270, 271, 273, 302, 318, 334]],
    'aarch64' => [0xC00000B7, 167, 277,
                  [57, 62, 63, 64, 72, 73, 80, 93, 94, 98, 99, 101, 107, 110,
                   111, 113, 115, 124, 132, 134, 135, 139, 163, 169, 172, 174,
                   175, 176, 177, 178, 214, 215, 216, 222, 226, 233, 261, 278,
                   293]]
  }
  machine = RUBY_PLATFORM[/\A(\w+)-linux/, 1]
  refuse("there is no way to confine it on #{RUBY_PLATFORM}") unless tables[machine]
  architecture, prctl, seccomp, allowed = tables[machine]
  code = []
  step = ->(op, yes, no, value) { code << [op, yes, no, value].pack('SCCL') }
  step.call(0x20, 0, 0, 4)
  step.call(0x15, 1, 0, architecture)
  step.call(0x06, 0, 0, 0x80000000)
  step.call(0x20, 0, 0, 0)
  allowed.each do |number|
    step.call(0x15, 0, 1, number)
    step.call(0x06, 0, 0, 0x7FFF0000)
  end
  step.call(0x06, 0, 0, 0x00050001)
  filter = code.join
  program = [code.size].pack('S') + "\0" * 6 + [filter].pack('P')
  $VERBOSE = nil
  syscall(prctl, 38, 1, 0, 0, 0)
  syscall(seccomp, 1, 0, [program].pack('P').unpack1('J'))
rescue SystemCallError, NotImplementedError => e
  refuse("it cannot be confined: #{e.message}")
end

class Object
  def blank?
    respond_to?(:empty?) ? !!empty? : !self
  end

  def present?
    !blank?
  end
end

class UnknownValue < StandardError; end

module Properties
  def find_value(map, path)
    path.split('.').reduce(map) do |at, key|
      return nil if at.nil?
      at[key]
    end
  end

  def p(names, *default)
    list = Array(names)
    list.each do |name|
      found = find_value(@properties_seen, name)
      return found unless found.nil?
    end
    return default.first unless default.empty?
    raise UnknownValue, 'property ' + list.map { |name| "'#{name}'" }.join(' or ')
  end

  def if_p(*names)
    found = names.map { |name| find_value(@properties_seen, name) }
    return Otherwise.new(self) if found.any?(&:nil?)
    yield(*found)
    Done.new
  end
end

class Otherwise
  def initialize(context)
    @context = context
  end

  def else
    yield
  end

  def else_if_p(*names, &block)
    @context.if_p(*names, &block)
  end

  def else_if_link(name, &block)
    @context.if_link(name, &block)
  end
end

class Done
  def else; end

  def else_if_p(*)
    self
  end

  def else_if_link(*)
    self
  end
end

class LinkInstance
  include Properties
  attr_reader :name, :id, :index, :az, :address, :bootstrap, :properties

  def initialize(map)
    @map = map
    @name, @id, @index, @az, @address, @bootstrap, @properties =
      map.values_at('name', 'id', 'index', 'az', 'address', 'bootstrap', 'properties')
    @properties_seen = @properties
  end

  def [](key)
    @map[key]
  end

  def inspect
    '{' + @map.map { |key, value| "#{key.to_json}: #{value.to_json}" }.join(', ') + '}'
  end
  alias to_s inspect
end

class Link
  include Properties
  attr_reader :instances, :properties, :instance

  def initialize(map)
    list = map['instances'] || map['nodes'] || []
    @instances = list.map { |item| LinkInstance.new(item) }
    one = map['instance'] || map['node']
    @instance = one && LinkInstance.new(one)
    @properties = map['properties'] || {}
    @properties_seen = @properties
    @address = map['address']
  end

  def nodes
    @instances
  end

  def node
    @instance
  end

  def address(criteria = {})
    raise NotImplementedError, 'an address by criteria' unless criteria.empty?
    @address
  end
end

class Context
  include Properties
  attr_reader :name, :index, :properties, :raw_properties, :spec

  def initialize(seen)
    @properties_seen = @raw_properties = seen['properties']
    @links_seen = seen['links']
    @properties = structure(@raw_properties)
    @spec = structure(seen['spec'])
    @name = seen['spec']['name']
    @index = seen['spec']['index']
  end

  def link(name)
    found = find_value(@links_seen, name)
    raise UnknownValue, "link '#{name}'" unless found.is_a?(Hash)
    Link.new(found)
  end

  def if_link(name)
    found = find_value(@links_seen, name)
    return Otherwise.new(self) unless found.is_a?(Hash)
    yield Link.new(found)
    Done.new
  end

  def structure(value)
    case value
    when Hash
      OpenStruct.new(value.map { |key, item| [key, structure(item)] }.to_h)
    when Array
      value.map { |item| structure(item) }
    else
      value
    end
  end

  def its_binding
    binding
  end
end

# What is loaded when it is first used is loaded before nothing can be.
warm = ERB.new('<%= [{ "a" => 1.5 }].to_yaml + JSON.pretty_generate("a" => 1) %>', trim_mode: '-')
warm.result(Context.new('properties' => {}, 'links' => {}, 'spec' => {}).its_binding)
YAML.load('a: 1')
"\u00e9".unicode_normalize(:nfc)
confine

STDIN.each_line do |line|
  task = JSON.parse(line)
  begin
    template = ERB.new(task['template'], trim_mode: '-')
    template.filename = '(template)'
    text = template.result(Context.new(task['sees']).its_binding)
    answer('content' => [text].pack('m0'))
  rescue Exception => e
    break if e.is_a?(NoMemoryError)
    place = ([e.message] + (e.backtrace || [])).join("\n")[/\(template\):(\d+)/, 1]
    message = e.message.lines.first.to_s.strip[0, 300]
    answer('error' => message.force_encoding('UTF-8').scrub, 'line' => place.to_i,
           'unknown' => e.is_a?(UnknownValue))
  end
end
)ruby";
